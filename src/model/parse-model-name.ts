import { toPrintableLine } from "../lib/printable.ts";
import { suggest } from "../lib/suggest.ts";
import { ModelError } from "./model-error.ts";

/** Who answers: Anthropic's Messages API, or any server that speaks OpenAI's chat completions. */
export interface Provider {
  /** As it stands before the name of a model: `anthropic/claude-…`. */
  readonly id: ProviderId;
  readonly title: string;
  readonly keyVariable: string;
  readonly hostVariable: string;
  readonly baseUrl: string;
  /** The model that is asked when nobody says which. */
  readonly defaultModel: string;
}

export type ProviderId = "anthropic" | "openai";

export const providers: { readonly [Id in ProviderId]: Provider } = {
  anthropic: {
    id: "anthropic",
    title: "Anthropic",
    keyVariable: "ANTHROPIC_API_KEY",
    hostVariable: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com",
    defaultModel: "claude-sonnet-5-5",
  },
  openai: {
    id: "openai",
    title: "OpenAI",
    keyVariable: "OPENAI_API_KEY",
    hostVariable: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
    defaultModel: "gpt-6.1-terra",
  },
};

/** A model by its provider. */
export interface ModelName {
  readonly provider: Provider;
  /** As the provider calls it; it may have slashes of its own. */
  readonly model: string;
}

const ids = Object.keys(providers);

/** Names that say by themselves whose model it is. */
const wellKnown: readonly (readonly [pattern: RegExp, provider: ProviderId])[] = [
  [/^claude-/i, "anthropic"],
  [/^(gpt-|chatgpt-|o\d)/i, "openai"],
];

/** The newest model of each family, by the short name that coding agents know it by. */
const families: Readonly<Record<string, string>> = {
  astra: "gpt-6-astra",
  fable: "claude-fable-5-2",
  haiku: "claude-haiku-5-5",
  luna: "gpt-6-luna",
  opus: "claude-opus-5-5",
  sol: "gpt-6.1-sol",
  sonnet: "claude-sonnet-5-5",
  terra: "gpt-6.1-terra",
};

/** Reads `anthropic/claude-…`, `openai/…`, or the name alone where it says whose model it is; `haiku` is one. */
export function parseModelName(text: string): ModelName {
  const short = text.trim().toLowerCase();
  const name = Object.hasOwn(families, short) ? (families[short] ?? "") : text.trim();
  if (name === "" || name.length > 200 || /[\p{Cc}\s]/u.test(name)) {
    throw refuse("This is no name of a model.", exampleHint());
  }
  const slash = name.indexOf("/");
  const known = wellKnown.find(([pattern]) => pattern.test(name))?.[1];
  if (slash === -1 && known !== undefined) return { provider: providers[known], model: name };
  const [id, model] = slash === -1 ? [name, ""] : [name.slice(0, slash), name.slice(slash + 1)];
  if (!isProvider(id.toLowerCase())) throw unknownProvider(id, name);
  if (model === "") throw refuse(`The model of ${id} is not named.`, exampleHint());
  return { provider: providers[id.toLowerCase() as ProviderId], model };
}

function isProvider(id: string): id is ProviderId {
  return Object.hasOwn(providers, id);
}

function unknownProvider(id: string, name: string): ModelError {
  const shown = toPrintableLine(name);
  const defaults = Object.values(providers).map(({ defaultModel }) => defaultModel);
  const [near] = [...suggest(id, ids), ...suggest(name, defaults)];
  const meant = near === undefined ? "" : `Did you mean ${near}? `;
  return new ModelError(`${shown} names no provider that there is.`, {
    kind: "usage",
    code: "unknown-provider",
    hint: `${meant}Write anthropic/… or openai/…, such as openai/${shown} for a server that speaks OpenAI's protocol.`,
  });
}

function exampleHint(): string {
  const examples = Object.values(providers).map(({ id, defaultModel }) => `${id}/${defaultModel}`);
  return `Write a provider and a model, such as ${examples.join(" or ")}.`;
}

function refuse(message: string, hint: string): ModelError {
  return new ModelError(message, { kind: "usage", code: "bad-model-name", hint });
}
