import { toPrintableLine } from "../../lib/printable.ts";
import { padEnd } from "../../lib/terminal-text.ts";
import type { Blocker } from "../../work/blockers/blocker.ts";
import { percentOf, type WorkState } from "../../work/state/work-state.ts";
import type { CommandContext } from "../command-context.ts";

const nameWidth = 8;
const barWidth = 20;

/** Renders a fact on one line under its name; an empty name goes on with the one before. */
export function renderFact({ style }: Pick<CommandContext, "style">, name: string, text: string): string {
  return `${style.bold(padEnd(name, nameWidth))} ${text}\n`;
}

/** Renders how many tasks are done: a bar, `5/8 tasks (63%)`. */
export function renderProgress(
  { style }: Pick<CommandContext, "style">,
  { completed, pending }: Pick<WorkState, "completed" | "pending">,
): string {
  const total = completed.length + pending.length;
  if (total === 0) return "no tasks are known";
  const full = Math.round((completed.length / total) * barWidth);
  const bar = `${style.green("█".repeat(full))}${style.dim("░".repeat(barWidth - full))}`;
  return `${bar} ${describeProgress({ completed, pending })}`;
}

/** Says how many tasks are done. */
function describeProgress({ completed, pending }: Pick<WorkState, "completed" | "pending">): string {
  const total = completed.length + pending.length;
  return `${completed.length}/${total} tasks (${percentOf(completed.length, total)}%)`;
}

/** Renders a blocker with what can be done about it. */
export function renderBlocker(context: Pick<CommandContext, "style">, blocker: Blocker | null): string {
  if (blocker === null) return renderFact(context, "Blocker", "none");
  const { type, severity, description, resolution, appearedAfter, recoveryAttempted } = blocker;
  const attempts =
    recoveryAttempted === 0
      ? []
      : [`recovery was tried ${recoveryAttempted} of ${blocker.maxRecoveryAttempts} times`];
  return [
    renderFact(
      context,
      "Blocker",
      context.style.red(`${type} (${severity}): ${toPrintableLine(description)}`),
    ),
    ...[
      ...(resolution === undefined ? [] : [`To do: ${toPrintableLine(resolution)}`]),
      ...(appearedAfter === undefined ? [] : [`It came after: ${toPrintableLine(appearedAfter)}`]),
      ...attempts,
    ].map((line) => renderFact(context, "", line)),
  ].join("");
}
