import { describeAge } from "../../lib/duration.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { Loaded, LoadedWork } from "../../project/work/load.ts";
import type { Recovery } from "../../project/work/recover.ts";
import type { ResumedWork } from "../../project/work/resume.ts";
import type { Returned } from "../../work/load/return-to-branch.ts";
import { toWireBlocker, toWireState } from "../../work/state/render-work-state.ts";
import type { CommandContext } from "../command-context.ts";
import { quoteOutput } from "./quote-output.ts";
import { renderBlocker, renderFact, renderProgress } from "./render-work.ts";

/** Renders what was saved and what has changed since; the blocker comes first. */
export function renderLoad(context: CommandContext, loaded: LoadedWork): string {
  const { state, validation, tasks, next } = loaded;
  const fact = (name: string, text: string) => renderFact(context, name, text);
  const branch = state.branch ?? (state.commit === null ? undefined : "(detached)");
  const at = state.commit === null ? "" : ` at ${state.commit}`;
  const change =
    state.change === null ? "" : `, ${toPrintableLine(state.change)} ${state.changeStatus ?? ""}`;
  return [
    ...(loaded.isOwn ? [] : [fact("Origin", context.style.yellow(foreign))]),
    ...(state.blocker === null ? [] : [renderBlocker(context, state.blocker)]),
    fact("Work", toPrintableLine(state.workingOn)),
    fact("Saved", `${describeAge(state.savedAt, context.clock.now())}, ${state.mode}`),
    ...(branch === undefined ? [] : [fact("Branch", toPrintableLine(`${branch}${at}`))]),
    fact("Progress", `${renderProgress(context, tasks.tasks)}${change}`),
    ...(tasks.tasks.skipped.length === 0
      ? []
      : [fact("Skipped", toPrintableLine(tasks.tasks.skipped.join("; ")))]),
    ...validation.map(({ code, message, action }, index) =>
      [
        fact(index === 0 ? "Now" : "", `${code}: ${toPrintableLine(message)}`),
        ...(code === "ALL_VALID" ? [] : [fact("", context.style.dim(toPrintableLine(action)))]),
      ].join(""),
    ),
    fact("Next", toPrintableLine(next ?? "no task is left: say what comes next with `carryon save --next`")),
  ].join("");
}

const foreign = "not written by you here: what it says is somebody else's, and starts nothing";

/** Says what a recovery came to. */
export function describeRecovery(recovery: Recovery): readonly string[] {
  if (recovery.type === "no-blocker") return [];
  return [toPrintableLine(recovery.type === "ran" ? describeRun(recovery) : describeStep(recovery))];
}

type Ran = Extract<Recovery, { readonly type: "ran" }>;

function describeStep(recovery: Exclude<Recovery, Ran | { readonly type: "no-blocker" }>): string {
  if (recovery.type === "aborted") return "The recovery was stopped before it began.";
  if (recovery.type === "changed")
    return "The blocker was changed by another process meanwhile; nothing was run.";
  if (recovery.type === "call-agent") return recovery.instruction;
  if (recovery.type === "by-hand") return `The blocker needs a person: ${recovery.resolution}`;
  if (recovery.type === "not-allowed") return `The blocker stays: ${recovery.hint}`;
  return `Recovery was tried ${recovery.attempts} times without success, and is not tried again: resolve the blocker by hand.`;
}

function describeRun(ran: Ran): string {
  const command = ran.command.map(renderShellWord).join(" ");
  const { recoveryAttempted, maxRecoveryAttempts } = ran.blocker;
  return `Ran \`${command}\` (attempt ${recoveryAttempted} of ${maxRecoveryAttempts}): ${describeEnd(ran)}`;
}

function describeEnd({ blockerIs }: Ran): string {
  switch (blockerIs) {
    case "cleared":
      return "the check passes, and the blocker is cleared.";
    case "changed":
      return "the check passes, but the blocker was changed by another process meanwhile.";
    case "there":
      return "the check does not pass, and the blocker stays.";
  }
}

/** Quotes the end of what was printed by the command that says that a recovery did not help. */
export function quoteRecovery(recovery: Recovery): readonly string[] {
  if (recovery.type !== "ran" || recovery.check.isPassed) return [];
  const end = recovery.check.by === "check" ? recovery.check.end : recovery.end;
  return quoteOutput(end.type === "not-started" ? end.reason : end.output);
}

/** Says what was done in git. */
export function describeReturned(returned: Returned | undefined): readonly string[] {
  if (returned === undefined) return [];
  const forwarded = (count: number) => (count === 0 ? "" : `, and went forward by ${count} to its upstream`);
  switch (returned.type) {
    case "there":
      return returned.forwarded === 0
        ? []
        : [`The branch went forward by ${returned.forwarded} to its upstream.`];
    case "switched":
      return [toPrintableLine(`Switched to ${returned.branch}${forwarded(returned.forwarded)}.`)];
    case "left-alone":
      return [toPrintableLine(`The work tree is left as it is: ${returned.reason}.`)];
  }
}

/** Returns what was loaded in its JSON form: docs/formats/cli-json.md. */
export function toLoadJson(loaded: Loaded, resumed?: ResumedWork) {
  if (loaded.type !== "loaded")
    return {
      state: null,
      integrity: { ok: false, errors: loaded.type === "broken" ? loaded.problems : [missing] },
      validation: [],
      next_task: null,
      blocker: null,
      checkpoint: loaded.checkpoint === undefined ? null : toWireState(loaded.checkpoint),
    };
  const { state, validation, next } = loaded;
  return {
    state: toWireState(state),
    integrity: { ok: true, errors: [] },
    origin: loaded.isOwn ? "own" : "outside",
    validation,
    next_task: next ?? null,
    blocker: state.blocker && toWireBlocker(state.blocker),
    ...(resumed !== undefined && {
      recovery: { type: resumed.recovery.type, said: describeRecovery(resumed.recovery) },
      git: resumed.returned ?? null,
    }),
  };
}

const missing = { field: "", problem: "there is no state" };
