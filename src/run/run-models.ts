import { join } from "node:path";
import { AppError, configError } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { Model } from "../model/model.ts";
import { readModels } from "../model/models-setting.ts";
import { chooseDefaultModel, type ModelSettings, openModel } from "../model/open-model.ts";
import { type Prices, pricesOf } from "../model/prices.ts";
import { readConfig } from "../workspace/read-config.ts";
import { readModelSettings } from "../workspace/read-model-settings.ts";
import type { Speaker } from "./run.ts";
import type { RunConfig } from "./run-config.ts";

/** Returns what the models of a run cost, as far as that is known: what the caller says, else what the user has set. */
export async function choosePrices(
  home: string,
  { prices }: { readonly prices?: Prices | undefined },
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

/** The two models of a run. */
export interface ChosenModels {
  readonly instructor: Model;
  readonly worker: Model;
}

/** What was asked for: models that are open, or names. */
interface ModelWishes {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly instructor?: Model | string | undefined;
  readonly worker?: Model | string | undefined;
}

/** Opens the models of a run: those that were asked for, else those of the session, else the user's own choice. */
export async function chooseModels(
  home: string,
  { env, instructor, worker }: ModelWishes,
  before: Pick<RunConfig, "instructorModel" | "workerModel"> | undefined,
): Promise<ChosenModels> {
  // Who brings models along needs no keys.
  if (typeof instructor === "object" && typeof worker === "object") return { instructor, worker };
  const settings = await readModelSettings(home, env);
  const choose = (who: Speaker, wish: Model | string | undefined, earlier = "") => {
    if (wish === undefined && earlier !== "") return orAnother(who, earlier, () => open(earlier, settings));
    return open(wish ?? settings[who], settings);
  };
  return {
    instructor: choose("instructor", instructor, before?.instructorModel),
    worker: choose("worker", worker, before?.workerModel),
  };
}

/** The options that name the models. */
const modelOptions: Readonly<Record<Speaker, string>> = { instructor: "-i", worker: "-w" };

const unknown: readonly string[] = ["unknown-provider", "bad-model-name"];

/** A session of another program may name a model in a way that says nothing here. */
function orAnother(who: Speaker, name: string, open: () => Model): Model {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof AppError) || !unknown.includes(error.code)) throw error;
    const { message, kind, code } = error;
    throw new AppError(`The ${who} of this run was ${toPrintableLine(name)}. ${message}`, {
      ...{ kind, code, cause: error },
      hint: `Name another model with \`${modelOptions[who]}\`. ${error.hint ?? ""}`.trim(),
    });
  }
}

function open(wish: Model | string | undefined, settings: ModelSettings): Model {
  if (typeof wish === "object") return wish;
  return openModel(wish ?? chooseDefaultModel(settings), settings);
}
