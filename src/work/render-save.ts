import { AppError } from "../lib/app-error.ts";
import { plural } from "../lib/plural.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { Look } from "../lib/style.ts";
import { describeOutcome, describePush, isPushMissed } from "./describe-commit.ts";
import { describeLeftOut } from "./describe-left-out.ts";
import { findPushTrouble } from "./push-trouble.ts";
import { renderBlocker, renderFact, renderProgress } from "./render-work.ts";
import type { SaveReport } from "./save.ts";
import { locateState } from "./state-file.ts";

const mostShown = 8;
const checkLabels = { build: "Build", test: "Test", documents: "Docs", ci: "CI" } as const;

/** Renders what a save did in the project at `root`. */
export function renderSave(look: Look, root: string, report: SaveReport): string {
  const { state, work, push, tasks, checks } = report;
  const fact = (name: string, text: string) => renderFact(look, name, text);
  const change =
    state.change === null ? "" : `, ${toPrintableLine(state.change)} ${state.changeStatus ?? ""}`;
  return [
    fact("Saved", toPrintableLine(locateState(root))),
    fact("Work", toPrintableLine(state.workingOn)),
    ...(work === undefined
      ? []
      : [
          fact(
            "Branch",
            `${toPrintableLine(state.branch ?? "(detached)")} ${describeOutcome(work)}, ${describePush(push, state)}`,
          ),
        ]),
    renderProgress(look, state, change),
    ...(state.nextSteps[0] === undefined ? [] : [fact("Next", toPrintableLine(state.nextSteps[0]))]),
    ...(tasks.tasks.skipped.length === 0
      ? []
      : [fact("Skipped", toPrintableLine(tasks.tasks.skipped.join("; ")))]),
    renderBlocker(look, state.blocker),
    ...(checks ?? []).map(({ check, outcome, detail }) =>
      fact(checkLabels[check], toPrintableLine(`${outcome}: ${detail}`)),
    ),
    ...renderLeftOut(look, report),
  ].join("");
}

function renderLeftOut(look: Look, { work }: SaveReport): readonly string[] {
  const left = work?.leftOut ?? [];
  const more = left.length - mostShown;
  return [
    ...left
      .slice(0, mostShown)
      .map((each, index) => renderFact(look, index === 0 ? "Left out" : "", describeLeftOut(each))),
    ...(more > 0 ? [renderFact(look, "", `and ${plural(more, "more file")}; --json names all`)] : []),
  ];
}

/**
 * Returns the error of a save whose state is safe, but whose push or commit failed; undefined where all was done.
 *
 * Whoever asked for a commit, be it a script, must not take the work for committed.
 */
export function findSaveFailure(report: SaveReport): AppError | undefined {
  const push = isPushMissed(report) ? findPushTrouble(report.push, report.work) : undefined;
  if (push !== undefined)
    return new AppError(push.message, { kind: "busy", code: "push-failed", hint: push.hint });
  const outcome = report.work?.outcome.type;
  if (outcome !== "refused" && outcome !== "failed") return undefined;
  const byHook = "Mend what the hook objects to, and save again; `carryon save --no-commit` wants no commit.";
  return new AppError("The state of the work is saved, but nothing was committed.", {
    kind: "busy",
    code: outcome === "refused" ? "commit-refused" : "commit-failed",
    hint: outcome === "refused" ? byHook : "Mend what git objects to, and save again.",
  });
}
