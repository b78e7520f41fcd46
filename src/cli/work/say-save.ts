import type { PushTarget } from "../../git/push.ts";
import { wrapTalk } from "../../lib/terminal-text.ts";
import { describeTroubles } from "../../work/describe-commit.ts";
import { findSaveFailure, renderSave } from "../../work/render-work.ts";
import { type SaveRequest, saveWork } from "../../work/save.ts";
import { toSaveJson } from "../../work/save-json.ts";
import type { WorkDesk } from "../../work/work-desk.ts";
import { type CommandContext, renderJson } from "../command-context.ts";
import { mayAsk } from "./work-here.ts";

/** What a person or an agent said of a save. */
export interface SaveOptions extends Omit<SaveRequest, "mayPushToDefault"> {
  readonly yes: boolean;
  readonly json: boolean;
  /** The task to begin with once the work is saved. */
  readonly begin?: string | undefined;
}

/** Saves the work and says what was done. A commit or a push that failed is an error, after everything else is safe. */
export async function saySave(context: CommandContext, desk: WorkDesk, options: SaveOptions): Promise<void> {
  const { yes, json, begin, ...request } = options;
  // A hook or a check may run for minutes, and what it has started must not outlive us.
  const signal = context.catchSignals();
  const report = await saveWork(desk, {
    ...request,
    signal,
    say: (line) => context.err(`${line}\n`),
    mayPushToDefault: (target) => consents(context, target, yes),
  });
  if (json) context.out(`${renderJson(toSaveJson(desk, report))}\n`);
  else context.out(renderSave(context, desk.site.root, report));
  for (const line of describeTroubles(report)) context.err(`${wrapTalk(context, line)}\n`);
  if (report.failure !== undefined) throw report.failure;
  signal.throwIfAborted();
  if (begin !== undefined) await (await import("./say-begun.ts")).sayBegun(context, desk, begin);
  const failure = findSaveFailure(report);
  if (failure !== undefined) throw failure;
}

async function consents(
  context: CommandContext,
  { remote, branch }: PushTarget,
  yes: boolean,
): Promise<boolean> {
  if (yes) return true;
  if (!mayAsk(context)) return false;
  return context.confirm(`${branch} is the default branch of ${remote}. Push to it?`);
}
