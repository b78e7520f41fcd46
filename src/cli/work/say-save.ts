import type { PushTarget } from "../../git/push-target.ts";
import { AppError } from "../../lib/app-error.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { wrapTalk } from "../../lib/wrap-line.ts";
import { describeOutcome, describePush } from "../../work/describe-commit.ts";
import { describeLeftOut } from "../../work/describe-left-out.ts";
import { describeTroubles, isPushMissed } from "../../work/describe-troubles.ts";
import { findPushTrouble } from "../../work/push-trouble.ts";
import { renderBlocker, renderFact, renderProgress } from "../../work/render-work.ts";
import { type SaveReport, type SaveRequest, saveWork } from "../../work/save.ts";
import { toSaveJson } from "../../work/save-json.ts";
import { locateState } from "../../work/state-file.ts";
import type { WorkDesk } from "../../work/work-desk.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { mayAsk } from "./work-here.ts";

/** What a person or an agent said of a save. */
export interface SaveOptions extends Omit<SaveRequest, "mayPushToDefault"> {
  readonly yes: boolean;
  readonly json: boolean;
  /** The task to begin with once the work is saved. */
  readonly begin?: string | undefined;
}

const mostShown = 8;
const checkLabels = { build: "Build", test: "Test", documents: "Docs", ci: "CI" } as const;

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
  else context.out(renderSave(context, desk, report));
  for (const line of describeTroubles(report)) context.err(`${wrapTalk(context, line)}\n`);
  if (report.failure !== undefined) throw report.failure;
  signal.throwIfAborted();
  if (begin !== undefined) await (await import("./say-begun.ts")).sayBegun(context, desk, begin);
  const failed = isPushMissed(report) ? findPushTrouble(report.push, report.work) : undefined;
  if (failed !== undefined)
    throw new AppError(failed.message, { kind: "busy", code: "push-failed", hint: failed.hint });
  refuseUncommitted(report);
}

/** Whoever asked for a commit, be it a script, must not take the work for committed. */
function refuseUncommitted({ work }: SaveReport): void {
  const outcome = work?.outcome.type;
  if (outcome !== "refused" && outcome !== "failed") return;
  const byHook = "Mend what the hook objects to, and save again; `carryon save --no-commit` wants no commit.";
  throw new AppError("The state of the work is saved, but nothing was committed.", {
    kind: "busy",
    code: outcome === "refused" ? "commit-refused" : "commit-failed",
    hint: outcome === "refused" ? byHook : "Mend what git objects to, and save again.",
  });
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

function renderSave(context: CommandContext, desk: WorkDesk, report: SaveReport): string {
  const { state, work, push, tasks, checks } = report;
  const fact = (name: string, text: string) => renderFact(context, name, text);
  const change =
    state.change === null ? "" : `, ${toPrintableLine(state.change)} ${state.changeStatus ?? ""}`;
  return [
    fact("Saved", toPrintableLine(locateState(desk.site.root))),
    fact("Work", toPrintableLine(state.workingOn)),
    ...(work === undefined
      ? []
      : [
          fact(
            "Branch",
            `${toPrintableLine(state.branch ?? "(detached)")} ${describeOutcome(work)}, ${describePush(push, state)}`,
          ),
        ]),
    renderProgress(context, state, change),
    ...(state.nextSteps[0] === undefined ? [] : [fact("Next", toPrintableLine(state.nextSteps[0]))]),
    ...(tasks.tasks.skipped.length === 0
      ? []
      : [fact("Skipped", toPrintableLine(tasks.tasks.skipped.join("; ")))]),
    renderBlocker(context, state.blocker),
    ...(checks ?? []).map(({ check, outcome, detail }) =>
      fact(checkLabels[check], toPrintableLine(`${outcome}: ${detail}`)),
    ),
    ...renderLeftOut(context, report),
  ].join("");
}

function renderLeftOut(context: CommandContext, { work }: SaveReport): readonly string[] {
  const left = work?.leftOut ?? [];
  const more = left.length - mostShown;
  return [
    ...left
      .slice(0, mostShown)
      .map((each, index) => renderFact(context, index === 0 ? "Left out" : "", describeLeftOut(each))),
    ...(more > 0 ? [renderFact(context, "", `and ${plural(more, "more file")}; --json names all`)] : []),
  ];
}
