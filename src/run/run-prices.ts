import { join } from "node:path";
import { configError } from "../lib/app-error.ts";
import { readModels } from "../model/models-setting.ts";
import { type Prices, pricesOf } from "../model/prices.ts";
import { readConfig } from "../workspace/read-config.ts";
import type { RunConfig } from "./run-config.ts";
import type { ChosenModels } from "./run-models.ts";

/** Returns what the models of a run cost, as far as that is known: what the caller says, else what the user has set. */
export async function choosePrices(
  home: string,
  { prices }: { readonly prices?: Prices },
  { instructor, worker }: ChosenModels,
): Promise<Prices> {
  const known = prices ?? (await readConfig(home, () => ({ models: readModels }))).models?.prices ?? {};
  return pricesOf(known, [instructor.name, worker.name]);
}

/** Refuses a limit that nobody could hold. */
export function requirePrices(
  home: string,
  { limits, instructorModel, workerModel, prices }: RunConfig,
): void {
  const unknown = [instructorModel, workerModel].find((model) => prices[model] === undefined);
  if (limits.cost === null || unknown === undefined) return;
  throw configError("no-price", `What ${unknown} costs is not known, so that no limit of cost can be held.`, {
    hint: `Set it in ${join(home, "config.yaml")}, in dollars for a million tokens: \`models: { prices: { ${unknown}: { input: …, output: … } } }\`.`,
  });
}
