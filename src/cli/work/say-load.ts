import { AppError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { type Loaded, type LoadedWork, loadWork } from "../../project/work/load.ts";
import { restoreCheckpoint } from "../../project/work/restore-checkpoint.ts";
import { resumeWork } from "../../project/work/resume.ts";
import type { WorkDesk } from "../../project/work/work-desk.ts";
import { locateState } from "../../work/state/state-file.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { describeTime } from "../transcript/describe-time.ts";
import { askLoad } from "./ask-load.ts";
import { describeRecovery, describeReturned, renderLoad, toLoadJson } from "./render-load.ts";
import { isUnderAgent, mayAsk } from "./work-here.ts";

/** How a state is loaded. */
export interface LoadOptions {
  readonly resume: boolean;
  /** Whether the newest checkpoint of the log takes the place of a state that cannot be read. */
  readonly restore: boolean;
  readonly ask: boolean;
  readonly json: boolean;
}

/** Loads the work, and says or asks what comes next. */
export async function sayLoad(context: CommandContext, desk: WorkDesk, options: LoadOptions): Promise<void> {
  const { json } = options;
  if (options.restore) await restore(context, desk);
  if (options.resume) return sayResume(context, desk, options);
  const loaded = await loadWork(desk);
  const asks = options.ask && !json && mayAsk(context);
  if (loaded.type !== "loaded") return sayMissing(context, desk, loaded, { asks, json });
  if (json) return context.out(`${renderJson(toLoadJson(loaded))}\n`);
  context.out(renderLoad(context, loaded));
  if (asks) return askLoad(context, desk, loaded);
  context.out(`\n${renderAdvice(loaded)}`);
}

async function sayResume(context: CommandContext, desk: WorkDesk, { json }: LoadOptions): Promise<void> {
  const signal = context.catchSignals();
  const resumed = await resumeWork(desk, { isUnderAgent: isUnderAgent(context), signal });
  signal.throwIfAborted();
  if ("type" in resumed) return sayMissing(context, desk, resumed, { asks: false, json });
  const { recovery, returned, loaded } = resumed;
  if (json) return context.out(`${renderJson(toLoadJson(loaded, resumed))}\n`);
  for (const line of [...describeRecovery(recovery), ...describeReturned(returned)]) context.out(`${line}\n`);
  context.out(renderLoad(context, loaded));
  context.out(`\n${renderAdvice(loaded)}`);
}

/** Says what to do, for whoever cannot be asked. */
function renderAdvice({ state, next }: LoadedWork): string {
  if (state.blocker !== null)
    return "Resolve the blocker before anything else; then `carryon blocker resolve`.\n";
  if (next === undefined) return "No task is left. Ask what comes next.\n";
  return `Go on with: ${toPrintableLine(next)}\n`;
}

interface MissingOptions {
  readonly asks: boolean;
  readonly json: boolean;
}

/** Says that there is nothing to load, or nothing that can be read, and what there was before. */
async function sayMissing(
  context: CommandContext,
  desk: WorkDesk,
  loaded: Exclude<Loaded, LoadedWork>,
  { asks, json }: MissingOptions,
): Promise<void> {
  const { checkpoint } = loaded;
  const first = loaded.type === "broken" ? loaded.hint : undefined;
  if (asks && checkpoint !== undefined && first === undefined) {
    context.err(`${describeMissing(desk, loaded)}\n`);
    const question = `Take the checkpoint of ${describeTime(checkpoint.savedAt)} (${toPrintableLine(checkpoint.workingOn)}) in its place?`;
    if (await context.confirm(question)) {
      await restore(context, desk);
      return sayLoad(context, desk, { resume: false, restore: false, ask: true, json });
    }
  }
  if (json) context.out(`${renderJson(toLoadJson(loaded))}\n`);
  throw new AppError(describeMissing(desk, loaded), {
    kind: "usage",
    code: loaded.type === "none" ? "no-state" : "bad-state",
    hint: first ?? describeWay(loaded),
  });
}

function describeMissing(desk: WorkDesk, loaded: Exclude<Loaded, LoadedWork>): string {
  const path = locateState(desk.site.root);
  if (loaded.type === "none") return `Nothing was saved here: there is no ${path}.`;
  const problems = loaded.problems.map(({ field, problem }) => `${field === "" ? "it" : field} ${problem}`);
  return `${path} cannot be read as a state, and is left as it is: ${problems.join("; ")}.`;
}

/** Says how there can be a state again. */
function describeWay({ type, checkpoint }: Exclude<Loaded, LoadedWork>): string {
  if (checkpoint === undefined) return "Save the work with `carryon save`.";
  const what = `${describeTime(checkpoint.savedAt)} (${toPrintableLine(checkpoint.workingOn)})`;
  const aside = type === "broken" ? ", and keeps the file aside" : "";
  return `The checkpoint of ${what} is in the log: \`carryon load --restore\` takes it${aside}.`;
}

async function restore(context: CommandContext, desk: WorkDesk): Promise<void> {
  const { aside } = await restoreCheckpoint(desk);
  if (aside !== undefined) context.err(`The file that was there is now ${toPrintableLine(aside)}\n`);
}
