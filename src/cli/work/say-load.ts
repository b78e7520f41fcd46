import { isUnderAgent } from "../../gates/is-under-agent.ts";
import { describeTime } from "../../lib/describe-time.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { wrapLine } from "../../lib/wrap-line.ts";
import { describeRecovery, quoteRecovery } from "../../work/describe-recovery.ts";
import { type Loaded, type LoadedWork, loadWork } from "../../work/load.ts";
import { describeMissing, toMissingError } from "../../work/missing-error.ts";
import { describeReturned, nextOf, renderLoad, toLoadJson } from "../../work/render-load.ts";
import { restoreCheckpoint, takeCheckpoint } from "../../work/restore-checkpoint.ts";
import { type ResumedWork, resumeWork } from "../../work/resume.ts";
import type { WorkDesk } from "../../work/work-desk.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { askLoad } from "./ask-load.ts";
import { mayAsk } from "./work-here.ts";

/** How a state is loaded. */
export interface LoadOptions {
  readonly resume: boolean;
  /** Whether the newest checkpoint of the log takes the place of a state that cannot be read, or which one of any. */
  readonly restore: boolean | string;
  readonly ask: boolean;
  readonly json: boolean;
}

/** Loads the work, and says or asks what comes next. */
export async function sayLoad(context: CommandContext, desk: WorkDesk, options: LoadOptions): Promise<void> {
  const { json } = options;
  if (options.restore !== false) await restore(context, desk, options.restore);
  if (options.resume) return sayResume(context, desk, options);
  const loaded = await loadWork(desk);
  const asks = options.ask && !json && mayAsk(context);
  if (loaded.type !== "loaded") return sayMissing(context, desk, loaded, { asks, json });
  if (json) return context.out(`${renderJson(toLoadJson(loaded))}\n`);
  context.out(renderLoad(context, loaded));
  if (asks) return askLoad(context, desk, loaded);
  context.out(`\n${wrapLine(renderAdvice(loaded), context.columns)}\n`);
}

async function sayResume(context: CommandContext, desk: WorkDesk, { json }: LoadOptions): Promise<void> {
  const signal = context.catchSignals();
  const resumed = await resumeWork(desk, { isUnderAgent: isUnderAgent(context), signal });
  signal.throwIfAborted();
  if ("type" in resumed) return sayMissing(context, desk, resumed, { asks: false, json });
  const { recovery, returned, loaded } = resumed;
  if (json) return context.out(`${renderJson(toLoadJson(loaded, resumed))}\n`);
  for (const line of describeRecovery(recovery)) context.out(`${wrapLine(line, context.columns)}\n`);
  for (const line of quoteRecovery(recovery)) context.err(`${line}\n`);
  for (const line of describeReturned(returned)) context.out(`${wrapLine(line, context.columns)}\n`);
  context.out(renderLoad(context, loaded));
  const advice = renderWrongPlace(resumed) ?? renderAdvice(loaded);
  context.out(`\n${wrapLine(advice, context.columns)}\n`);
}

/** Says what comes before the task where the work tree could not go back; undefined where it is in its place. */
function renderWrongPlace({ returned, loaded }: ResumedWork): string | undefined {
  const isWrong = loaded.validation.some(({ code }) => code === "BRANCH_MISMATCH");
  if (!isWrong || returned?.type !== "left-alone") return undefined;
  return `This is the wrong branch, and the task waits. ${toPrintableLine(returned.advice)}`;
}

/** Says what to do, for whoever cannot be asked. */
function renderAdvice(loaded: LoadedWork): string {
  const next = nextOf(loaded);
  if (loaded.blocker !== null)
    return "Resolve the blocker before anything else; then `carryon blocker resolve`.";
  if (next === undefined) return "No task is left. Ask what comes next.";
  return `Go on with: ${toPrintableLine(next)}`;
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
    const where = loaded.machine === undefined ? "" : ` on ${toPrintableLine(loaded.machine)}`;
    const question = `Take the checkpoint of ${describeTime(checkpoint.savedAt)}${where} (${toPrintableLine(checkpoint.workingOn)}) in its place?`;
    if (await context.confirm(question)) {
      await restore(context, desk, true);
      return sayLoad(context, desk, { resume: false, restore: false, ask: true, json });
    }
  }
  if (json) context.out(`${renderJson(toLoadJson(loaded))}\n`);
  throw toMissingError(desk, loaded);
}

async function restore(context: CommandContext, desk: WorkDesk, which: true | string): Promise<void> {
  const { aside } = await (which === true ? restoreCheckpoint(desk) : takeCheckpoint(desk, which));
  if (aside !== undefined) context.err(`The file that was there is now ${toPrintableLine(aside.path)}\n`);
}
