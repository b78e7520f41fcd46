import type { Json, JsonObject } from "../sessions/entry.ts";
import { fieldOf } from "../sessions/tool-runs.ts";

/** Dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** The prices that are known, by the name of the model. */
export type Prices = Readonly<Record<string, Price>>;

/** Returns the prices of some models, as far as they are known. */
export function pricesOf(prices: Prices, models: readonly string[]): Prices {
  return Object.fromEntries(Object.entries(prices).filter(([model]) => models.includes(model)));
}

/** Turns prices into what the log keeps. */
export function renderPrices(prices: Prices): JsonObject {
  return Object.fromEntries(Object.entries(prices).map(([model, price]) => [model, { ...price }]));
}

/** Reads prices from the log; what is no price is left out. */
export function parsePrices(value: Json | undefined): Prices {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.keys(value).flatMap((model) => {
      const price = parsePrice(fieldOf(value, model));
      return price === undefined ? [] : [[model, price]];
    }),
  );
}

function parsePrice(value: Json | undefined): Price | undefined {
  const dollars = (name: string) => {
    const found = fieldOf(value, name);
    return typeof found === "number" && found >= 0 ? found : undefined;
  };
  const [input, output] = [dollars("input"), dollars("output")];
  if (input === undefined || output === undefined) return undefined;
  const [cacheRead, cacheWrite] = [dollars("cacheRead"), dollars("cacheWrite")];
  return {
    ...{ input, output },
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}
