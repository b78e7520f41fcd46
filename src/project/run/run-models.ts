import type { Model } from "../../model/model.ts";
import { chooseDefaultModel, type ModelSettings, openModel } from "../../model/open-model.ts";
import type { RunConfig } from "../../run/run-config.ts";
import { readModelSettings } from "../model/read-model-settings.ts";

/** The two models of a run. */
export interface ChosenModels {
  readonly instructor: Model;
  readonly worker: Model;
}

/** What was asked for: models that are open, or names. */
interface ModelWishes {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly instructor?: Model | string;
  readonly worker?: Model | string;
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
  const choose = (wish: Model | string | undefined, earlier: string | undefined, own: string | undefined) =>
    open(wish ?? (earlier || own), settings);
  return {
    instructor: choose(instructor, before?.instructorModel, settings.instructor),
    worker: choose(worker, before?.workerModel, settings.worker),
  };
}

function open(wish: Model | string | undefined, settings: ModelSettings): Model {
  if (typeof wish === "object") return wish;
  return openModel(wish ?? chooseDefaultModel(settings), settings);
}
