import { BadSetting, type SettingPath, unknownName } from "../lib/bad-setting.ts";
import { parseModelName } from "./parse-model-name.ts";
import type { Price, Prices } from "./prices.ts";

const hint =
  "Write dollars for a million tokens, such as `prices: { anthropic/claude-sonnet-5-5: { input: 3, output: 15, cached: 0.3 } }`.";

const names = ["input", "output", "cached", "cacheWrite"] as const;

/** Reads `models.prices`: what each model costs, by its name. */
export function readPrices(value: unknown): Prices {
  const models = toMap(value, "models.prices", []);
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
    throw new BadSetting("models.prices has what is no name of a model", hint, [name]);
  }
}

function readPrice(value: unknown, model: string): Price {
  const fields = toMap(value, `the price of ${model}`, [model]);
  const other = Object.keys(fields).find((each) => !names.some((name) => name === each));
  if (other !== undefined) {
    const { reason, hint: meant } = unknownName(`setting of the price of ${model}`, other, names);
    throw new BadSetting(reason, meant, [model, other]);
  }
  const dollars = (name: (typeof names)[number]) => toDollars(fields[name], name, [model, name]);
  const [input, output, cacheRead, cacheWrite] = names.map(dollars);
  if (input === undefined || output === undefined)
    throw new BadSetting(`the price of ${model} lacks input or output`, hint, [model]);
  return {
    ...{ input, output },
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

function toDollars(value: unknown, name: string, path: SettingPath): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
  throw new BadSetting(`${name} must be a number from 0 on`, hint, path);
}

function toMap(value: unknown, name: string, path: SettingPath): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>;
  throw new BadSetting(`${name} must be a map`, hint, path);
}
