import { openAnthropicModel } from "./anthropic/anthropic-model.ts";
import type { Model } from "./model.ts";
import { ModelError } from "./model-error.ts";
import { badKey, noKey } from "./model-errors.ts";
import { openOpenaiModel } from "./openai/openai-model.ts";
import { type Provider, type ProviderId, parseModelName, providers } from "./parse-model-name.ts";
import { type Pace, patience, type RetryPolicy, systemPace } from "./retry.ts";
import type { Timeouts } from "./watch-silence.ts";

/** How a provider is reached. */
export interface ProviderSettings {
  readonly apiKey?: string;
  /** The provider's own server unless given. */
  readonly baseUrl?: string;
  /** How much the models there hold; known by their names unless given. */
  readonly contextTokens?: number;
}

/** Everything that opening a model needs to be told; nothing is read from the environment. */
export interface ModelSettings {
  readonly anthropic?: ProviderSettings;
  readonly openai?: ProviderSettings;
  /** The model that is asked when nobody says which. */
  readonly defaultModel?: string;
  readonly timeouts?: Partial<Timeouts>;
  readonly retries?: Partial<RetryPolicy>;
  /** Where time and chance come from. */
  readonly pace?: Pace;
}

const openers = { anthropic: openAnthropicModel, openai: openOpenaiModel };

/** Servers that speak OpenAI's protocol give no sign of life while a model thinks. */
const timeouts: { readonly [Id in ProviderId]: Timeouts } = {
  anthropic: { firstByteMs: 120_000, betweenBytesMs: 60_000 },
  openai: { firstByteMs: 300_000, betweenBytesMs: 120_000 },
};

/**
 * Opens the model of a name such as `anthropic/claude-sonnet-5-5`.
 *
 * Costs nothing: nobody is asked whether there is such a model, and the SDK of its provider is loaded by `prepare` or the
 * first request. A name, key or address that cannot be right is refused at once.
 */
export function openModel(name: string, settings: ModelSettings): Model {
  const { provider, model } = parseModelName(name);
  const { apiKey, baseUrl, contextTokens } = settings[provider.id] ?? {};
  const key = checkKey(apiKey, provider, baseUrl);
  const url = baseUrl === undefined ? provider.baseUrl : parseBaseUrl(baseUrl, provider, key);
  const title = url === provider.baseUrl ? provider.title : new URL(url).host;
  return openers[provider.id](
    { provider, title, model, key },
    {
      baseUrl: url,
      contextTokens,
      timeouts: { ...timeouts[provider.id], ...settings.timeouts },
      policy: { ...patience, ...settings.retries },
      pace: settings.pace ?? systemPace,
    },
  );
}

/** Says which model is meant when nobody names one: that of the only provider with a key, else Anthropic's. */
export function chooseDefaultModel({ defaultModel, anthropic, openai }: ModelSettings): string {
  if (defaultModel !== undefined) return defaultModel;
  const isOpenai = anthropic?.apiKey === undefined && openai?.apiKey !== undefined;
  const { id, defaultModel: model } = isOpenai ? providers.openai : providers.anthropic;
  return `${id}/${model}`;
}

/** A server of one's own that speaks OpenAI's protocol often wants no key. */
function checkKey(
  key: string | undefined,
  provider: Provider,
  baseUrl: string | undefined,
): string | undefined {
  if (key === undefined) {
    if (provider.id === "openai" && baseUrl !== undefined) return undefined;
    throw noKey(provider);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) throw badKey(provider);
  return key;
}

/**
 * Checks the address of a server, and returns it without a slash at its end.
 *
 * A key goes over the network only if nobody on the way can read it: by https, or to this machine. An address that is
 * refused is never repeated, since it may hold a password.
 */
function parseBaseUrl(text: string, provider: Provider, key: string | undefined): string {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.hostname === "") {
    throw refuse(provider, "it is no address that begins with https://", exampleHint(provider));
  }
  if (url.username !== "" || url.password !== "") {
    throw refuse(provider, "a name or password stands in it", `Set ${provider.keyVariable} instead.`);
  }
  if (url.search !== "" || url.hash !== "") {
    throw refuse(provider, "something follows its path", exampleHint(provider));
  }
  if (url.protocol === "http:" && key !== undefined && !isLoopback(url.hostname)) {
    throw refuse(
      provider,
      "the key would go over the network unencrypted",
      `Write https://, or reach the server through this machine, as \`ssh -L\` does, or give it no key: ${provider.keyVariable}.`,
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function refuse({ title, hostVariable }: Provider, reason: string, hint: string): ModelError {
  return new ModelError(`The address of ${title} (${hostVariable}) cannot be used: ${reason}.`, {
    kind: "config",
    code: "bad-model-url",
    hint,
  });
}

function exampleHint({ baseUrl }: Provider): string {
  return `Write an address such as ${baseUrl}.`;
}

function isLoopback(host: string): boolean {
  return (
    host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host)
  );
}
