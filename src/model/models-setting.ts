import { BadSetting, readMap, type SettingPath } from "../lib/bad-setting.ts";
import type { ProviderSettings } from "./open-model.ts";
import { type ProviderId, parseModelName, providers } from "./parse-model-name.ts";
import type { Price, Prices } from "./prices.ts";

/** What a user has set about language models. */
export interface ModelsSetting {
  /** The model of chat, and of run where it names no other. */
  readonly default?: string;
  readonly instructor?: string;
  readonly worker?: string;
  readonly anthropic?: ProviderSettings;
  readonly openai?: ProviderSettings;
  /** What models cost, by their names with their providers. */
  readonly prices?: Prices;
}

const hint = "Write such as `models: { default: anthropic/claude-sonnet-5-5, anthropic: { apiKey: … } }`.";

const roles = ["default", "instructor", "worker"] as const;
const ids = Object.keys(providers) as ProviderId[];
const leastContext = 1000;

/** Reads `models`. */
export function readModels(value: unknown): ModelsSetting {
  const fields = readMap(value, { name: "models", names: [...roles, ...ids, "prices"], path: [], hint });
  const names = roles.map((role) => [role, readName(fields[role], role)] as const);
  const settings = ids.map((id) => [id, readProvider(fields[id], id)] as const);
  const prices = fields.prices === undefined ? undefined : readPricesAt(fields.prices);
  return withoutUndefined([...names, ...settings, ["prices", prices]]);
}

/** What is wrong there is found below `prices`. */
function readPricesAt(value: unknown): Prices {
  try {
    return readPrices(value);
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error;
    throw new BadSetting(error.message, error.hint, ["prices", ...error.path]);
  }
}

function readName(value: unknown, role: string): string | undefined {
  if (value === undefined) return undefined;
  const name = toText(value, `models.${role}`, [role]);
  try {
    parseModelName(name);
  } catch {
    // The error repeats the name, and whatever else was put in its place.
    throw new BadSetting(`models.${role} is no name of a model`, hint, [role]);
  }
  return name;
}

function readProvider(value: unknown, id: ProviderId): ProviderSettings | undefined {
  if (value === undefined) return undefined;
  const names = ["apiKey", "baseUrl", "contextTokens"] as const;
  const fields = readMap(value, { name: `models.${id}`, names, path: [id], hint });
  const text = (name: (typeof names)[number]) =>
    fields[name] === undefined ? undefined : toText(fields[name], `models.${id}.${name}`, [id, name]);
  return withoutUndefined([
    ["apiKey", text("apiKey")],
    ["baseUrl", text("baseUrl")],
    ["contextTokens", readContext(fields.contextTokens, id)],
  ]);
}

function readContext(value: unknown, id: ProviderId): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= leastContext) return value;
  const reason = `models.${id}.contextTokens must be a whole number from ${leastContext} on`;
  throw new BadSetting(reason, "Write how many tokens the models there hold, such as 32768.", [
    id,
    "contextTokens",
  ]);
}

function toText(value: unknown, name: string, path: SettingPath): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new BadSetting(`${name} must be text`, hint, path);
}

function withoutUndefined(fields: readonly (readonly [name: string, value: unknown])[]): object {
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

const pricesHint =
  "Write dollars for a million tokens, such as `prices: { anthropic/claude-sonnet-5-5: { input: 3, output: 15, cached: 0.3 } }`.";

const priceNames = ["input", "output", "cached", "cacheWrite"] as const;

/** Reads `models.prices`: what each model costs, by its name. */
function readPrices(value: unknown): Prices {
  const models = readMap(value, { name: "models.prices", path: [], hint: pricesHint });
  return Object.fromEntries(
    Object.entries(models).map(([name, price]) => [toModel(name), readPrice(price, name)]),
  );
}

function toModel(name: string): string {
  try {
    const { provider, model } = parseModelName(name);
    return `${provider.id}/${model}`;
  } catch {
    // The error repeats what stands there, which may be something else.
    throw new BadSetting("models.prices has what is no name of a model", pricesHint, [name]);
  }
}

function readPrice(value: unknown, model: string): Price {
  const expected = { name: `the price of ${model}`, names: priceNames, path: [model], hint: pricesHint };
  const fields = readMap(value, expected);
  const dollars = (name: (typeof priceNames)[number]) => toDollars(fields[name], name, [model, name]);
  const [input, output, cacheRead, cacheWrite] = priceNames.map(dollars);
  if (input === undefined || output === undefined)
    throw new BadSetting(`the price of ${model} lacks input or output`, pricesHint, [model]);
  return {
    ...{ input, output },
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

function toDollars(value: unknown, name: string, path: SettingPath): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw new BadSetting(`${name} must be a number from 0 on`, pricesHint, path);
}
