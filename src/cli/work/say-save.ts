import { AppError } from "../../lib/app-error.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { type SaveReport, type SaveRequest, saveWork } from "../../project/work/save.ts";
import type { WorkDesk } from "../../project/work/work-desk.ts";
import type { PushTarget } from "../../work/save/push.ts";
import { locateState } from "../../work/state/state-file.ts";
import type { CommandContext } from "../command-context.ts";
import { plural } from "../plural.ts";
import { renderJson } from "../render-json.ts";
import { describeOutcome, describePush, describePushTrouble, describeTrouble } from "./describe-commit.ts";
import { describeLeftOut } from "./describe-left-out.ts";
import { renderBlocker, renderFact, renderProgress } from "./render-work.ts";
import { toSaveJson } from "./save-json.ts";
import { mayAsk } from "./work-here.ts";

/** What a person or an agent said of a save. */
export interface SaveOptions extends Omit<SaveRequest, "mayPushToDefault"> {
  readonly yes: boolean;
  readonly json: boolean;
}

const mostShown = 8;
const checkLabels = { build: "Build", test: "Test", documents: "Docs", ci: "CI" } as const;

/** Saves the work and says what was done. A push that failed is an error, after everything else is safe. */
export async function saySave(context: CommandContext, desk: WorkDesk, options: SaveOptions): Promise<void> {
  const { yes, json, ...request } = options;
  const report = await saveWork(desk, {
    ...request,
    mayPushToDefault: (target) => consents(context, target, yes),
  });
  if (json) context.out(`${renderJson(toSaveJson(desk, report))}\n`);
  else context.out(renderSave(context, desk, report));
  for (const line of troublesOf(report)) context.err(`${line}\n`);
  const failed = report.push && describePushTrouble(report.push);
  if (failed === undefined) return;
  // Who only wants everything verified may have nowhere to push to.
  if (request.mode === "full" && report.push?.type === "no-remote") return context.err(`${failed}\n`);
  throw new AppError(failed, {
    kind: "busy",
    code: "push-failed",
    hint:
      report.push?.type === "not-allowed"
        ? "The work is saved and committed here. Add --yes to push it."
        : "The work is saved and committed here. Push again with `carryon save --sync`.",
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
    fact("Progress", `${renderProgress(context, state)}${change}`),
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

function troublesOf({ work, aside, warnings, tasks, checks }: SaveReport): readonly string[] {
  const failed = (checks ?? []).filter(({ outcome }) => outcome === "failed");
  return [
    ...(work === undefined ? [] : describeTrouble(work)),
    ...(work?.staged === undefined
      ? []
      : [`What you had staged of files that you changed again is kept in ${work.staged}.`]),
    ...(aside === undefined
      ? []
      : [`The state that was there could not be read. It is now ${toPrintableLine(aside)}`]),
    ...failed.map(({ detail }) => toPrintableLine(`Not all is well: ${detail}.`)),
    ...tasks.remarks.map(toPrintableLine),
    ...warnings.map(toPrintableLine),
  ];
}
