import { AppError, usageError } from "../lib/app-error.ts";
import { describeTime } from "../lib/describe.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { Blocker } from "./blocker.ts";
import { addBlocker, type NewBlocker, readBlocker, resolveBlocker } from "./change-blocker.ts";
import { type Loaded, type LoadedWork, loadWork } from "./load.ts";
import { readState } from "./state-store.ts";
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

/** What is to be done with the blocker. */
export type BlockerRequest =
  | { readonly what: "show" }
  | { readonly what: "add"; readonly blocker: NewBlocker }
  | { readonly what: "resolve"; readonly how: string };

/** What became of it. */
export interface BlockerReport {
  /** The blocker that is shown, that was added, or that was resolved; null where nothing stops the work. */
  readonly blocker: Blocker | null;
  /** The one that a person had put down before, which the new one replaces. */
  readonly replaced?: Blocker;
}

/** Shows, adds or resolves the blocker. */
export async function tellBlocker(desk: WorkDesk, request: BlockerRequest): Promise<BlockerReport> {
  if (request.what === "add") return add(desk, request.blocker);
  try {
    const found = request.what === "show" ? readBlocker(desk) : resolveBlocker(desk, request.how);
    return { blocker: await found };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Of a state that cannot be read nobody knows what stops the work: it is said as `load` says it.
    const loaded = await loadWork(desk);
    throw loaded.type === "broken" ? toMissingError(desk, loaded) : error;
  }
}

async function add(desk: WorkDesk, added: NewBlocker): Promise<BlockerReport> {
  const found = await readState(desk.site.root);
  const before = found.type === "state" ? found.state.blocker : null;
  const blocker = await addBlocker(desk, added);
  return before === null || before.isAutoDetected ? { blocker } : { blocker, replaced: before };
}

/** Describes the blocker that a new one replaces: what a person has put down is not lost without a word. */
export function describeReplaced({ type, description }: Blocker): string {
  return toPrintableLine(`Instead of: ${type}: ${description}`);
}

/** Describes what was resolved. */
export function describeResolved(blocker: Blocker | null): string {
  return blocker === null ? "Nothing stops the work." : toPrintableLine(`Resolved: ${blocker.description}`);
}
