import { isUnderAgent } from "../../gates/is-under-agent.ts";
import { describeTime } from "../../lib/describe-time.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { wrapLine } from "../../lib/wrap-line.ts";
import { type Loaded, type LoadedWork, loadWork } from "../../work/load.ts";
import { describeMissing, toMissingError } from "../../work/missing-error.ts";
import { describeAdvice, describeResumed, renderLoad, toLoadJson } from "../../work/render-load.ts";
import { restoreCheckpoint, takeCheckpoint } from "../../work/restore-checkpoint.ts";
import { resumeWork } from "../../work/resume.ts";
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
  context.out(`\n${wrapLine(describeAdvice(loaded), context.columns)}\n`);
}

async function sayResume(context: CommandContext, desk: WorkDesk, { json }: LoadOptions): Promise<void> {
  const signal = context.catchSignals();
  const resumed = await resumeWork(desk, { isUnderAgent: isUnderAgent(context), signal });
  signal.throwIfAborted();
  if ("type" in resumed) return sayMissing(context, desk, resumed, { asks: false, json });
  const { loaded } = resumed;
  if (json) return context.out(`${renderJson(toLoadJson(loaded, resumed))}\n`);
  const { done, quoted, advice } = describeResumed(resumed);
  for (const line of quoted) context.err(`${line}\n`);
  for (const line of done) context.out(`${wrapLine(line, context.columns)}\n`);
  context.out(renderLoad(context, loaded));
  context.out(`\n${wrapLine(advice, context.columns)}\n`);
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
