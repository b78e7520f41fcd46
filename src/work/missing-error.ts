import { type AppError, usageError } from "../lib/app-error.ts";
import { describeTime } from "../lib/describe-time.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { Loaded, LoadedWork } from "./load.ts";
import type { WorkDesk } from "./work-desk.ts";
import { locateState } from "./work-state.ts";

/** Returns the error that there is no state, or none that can be read; it names the way to one. */
export function toMissingError(desk: WorkDesk, loaded: Exclude<Loaded, LoadedWork>): AppError {
  const first = loaded.type === "broken" ? loaded.hint : undefined;
  return usageError(loaded.type === "none" ? "no-state" : "bad-state", describeMissing(desk, loaded), {
    hint: first ?? describeWay(loaded),
  });
}

/** Says that there is no state, or what is wrong with it, field by field. */
export function describeMissing(desk: WorkDesk, loaded: Exclude<Loaded, LoadedWork>): string {
  const path = locateState(desk.site.root);
  if (loaded.type === "none") return `Nothing was saved here: there is no ${path}.`;
  const problems = loaded.problems.map(({ field, problem }) => `${field === "" ? "it" : field} ${problem}`);
  return `${path} cannot be read as a state, and is left as it is: ${problems.join("; ")}.`;
}

/** Says how there can be a state again. */
function describeWay({ type, checkpoint, machine }: Exclude<Loaded, LoadedWork>): string {
  if (checkpoint === undefined) return "Save the work with `carryon save`.";
  const what = `${describeTime(checkpoint.savedAt)} (${toPrintableLine(checkpoint.workingOn)})`;
  const aside = type === "broken" ? ", and keeps the file aside" : "";
  const where = machine === undefined ? "" : ` on ${toPrintableLine(machine)}`;
  return `The checkpoint of ${what}${where} is in the log: \`carryon load --restore\` takes it${aside}.`;
}
