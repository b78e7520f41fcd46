import { type AppError, busyError } from "../lib/app-error.ts";
import { plural } from "../lib/describe.ts";
import { present } from "../lib/present.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { Look, TextStyle } from "../lib/style.ts";
import { padEnd, wrapLine } from "../lib/terminal-text.ts";
import { type Blocker, describeStale } from "./blocker.ts";
import { describeOutcome, describePush, isPushMissed } from "./describe-commit.ts";
import { describeLeftOut } from "./describe-left-out.ts";
import { findPushTrouble } from "./push-trouble.ts";
import type { SaveReport } from "./save.ts";
import type { Tasks } from "./tasks.ts";
import { describeProgress, locateState, progressOf, type TaskLists, type WorkState } from "./work-state.ts";

const nameWidth = 8;
const barWidth = 20;

/** Renders a fact beside its name, each line painted; an empty name goes on with the one before. */
export function renderFact(
  { style, columns }: Look,
  name: string,
  text: string,
  paint: TextStyle = (line) => line,
): string {
  const indent = " ".repeat(nameWidth + 1);
  const [first = "", ...others] = wrapLine(text, columns, indent).split("\n");
  const below = others.map((line) => `\n${indent}${paint(line.slice(indent.length))}`);
  return `${style.bold(padEnd(name, nameWidth))} ${paint(first)}${below.join("")}\n`;
}

/** Renders how many tasks are done: a bar, `5/8 tasks (63%)`, and what else is to be said of it. */
export function renderProgress(look: Look, tasks: TaskLists, more = ""): string {
  const { style } = look;
  const { completed, total } = progressOf(tasks);
  if (total === 0) return renderFact(look, "Progress", `no tasks are known${more}`);
  const full = Math.round((completed / total) * barWidth);
  const bar = `${"█".repeat(full)}${"░".repeat(barWidth - full)}`;
  const paint = (line: string) => line.replace(/█+/g, style.green).replace(/░+/g, style.dim);
  return renderFact(look, "Progress", `${bar} ${describeProgress(tasks)}${more}`, paint);
}

/** Renders what was said against the commit of the last save; nothing where it was made. */
export function renderRefused(
  look: Look,
  { refusedCommit }: Pick<WorkState, "refusedCommit">,
): readonly string[] {
  if (refusedCommit === undefined) return [];
  const [by = "", ...said] = refusedCommit.split("\n").map(toPrintableLine);
  const { red } = look.style;
  return [
    renderFact(look, "Refused", `the commit of the last save was refused ${by}`, red),
    ...said.map((line) => renderFact(look, "", `  ${line}`)),
  ];
}

/** Renders a blocker with what can be done about it. */
export function renderBlocker(context: Look, blocker: Blocker | null): string {
  if (blocker === null) return renderFact(context, "Blocker", "none");
  const { type, severity, description, resolution, appearedAfter, recoveryAttempted } = blocker;
  const what = `${type} (${severity}): ${toPrintableLine(description)}`;
  const more = present([
    blocker.isStale && describeStale(blocker),
    resolution !== undefined && `To do: ${toPrintableLine(resolution)}`,
    appearedAfter !== undefined && `It came after: ${toPrintableLine(appearedAfter)}`,
    recoveryAttempted > 0 &&
      `recovery was tried ${recoveryAttempted} of ${blocker.maxRecoveryAttempts} times`,
  ]);
  return [
    renderFact(context, "Blocker", what, context.style.red),
    ...more.map((line) => renderFact(context, "", line)),
  ].join("");
}

/** Says of a state that somebody else wrote it. */
export function renderForeign(context: Look): string {
  const said = "not written by you here: what it says is somebody else's, and starts nothing";
  return renderFact(context, "Origin", said, context.style.yellow);
}

const mostShown = 8;
const checkLabels = { build: "Build", test: "Test", documents: "Docs", ci: "CI" } as const;

/** Renders what a save did in the project at `root`. */
export function renderSave(look: Look, root: string, report: SaveReport): string {
  const { state, work, push, tasks, checks } = report;
  const fact = (name: string, text: string) => renderFact(look, name, text);
  const branch = toPrintableLine(state.branch ?? "(detached)");
  const [next] = state.nextSteps;
  return present([
    fact("Saved", toPrintableLine(locateState(root))),
    fact("Work", toPrintableLine(state.workingOn)),
    work && fact("Branch", `${branch} ${describeOutcome(work)}, ${describePush(push, state)}`),
    renderProgress(look, state, describeChange(state)),
    next !== undefined && fact("Next", toPrintableLine(next)),
    renderSkipped(look, tasks.tasks),
    renderBlocker(look, state.blocker),
    ...(checks ?? []).map(({ check, outcome, detail }) =>
      fact(checkLabels[check], toPrintableLine(`${outcome}: ${detail}`)),
    ),
    ...renderLeftOut(look, report),
  ]).join("");
}

/** Says which change of OpenSpec a state is about, behind its tasks. */
export function describeChange({ change, changeStatus }: WorkState): string {
  return change === null ? "" : `, ${toPrintableLine(change)} ${changeStatus ?? ""}`;
}

/** Renders the lines of tasks.md that could not be read. */
export function renderSkipped(look: Look, { skipped }: Pick<Tasks, "skipped">): string | undefined {
  return skipped.length === 0 ? undefined : renderFact(look, "Skipped", toPrintableLine(skipped.join("; ")));
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
  if (push !== undefined) return busyError("push-failed", push.message, { hint: push.hint });
  const outcome = report.work?.outcome.type;
  if (outcome !== "refused" && outcome !== "failed") return undefined;
  const byHook = "Mend what the hook objects to, and save again; `carryon save --no-commit` wants no commit.";
  return busyError(
    outcome === "refused" ? "commit-refused" : "commit-failed",
    "The state of the work is saved, but nothing was committed.",
    { hint: outcome === "refused" ? byHook : "Mend what git objects to, and save again." },
  );
}
