import { plainLines } from "../lib/plain-lines.ts";
import { toPrintableLine } from "../lib/printable.ts";
import type { CommandEnd } from "../lib/run-command.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import type { Recovery } from "./recover.ts";

/** How many lines say how a command ended. */
const mostLines = 15;

/** Quotes the end of what a command printed, line by line, without colours and fit for a terminal. */
export function quoteOutput(output: string): readonly string[] {
  const lines = plainLines(hideSecrets(output)).filter((line) => line.trim() !== "");
  return lines.slice(-mostLines).map((line) => `  ${toPrintableLine(line)}`);
}

/** Says what a recovery came to. */
export function describeRecovery(recovery: Recovery): readonly string[] {
  if (recovery.type === "no-blocker") return [];
  return [toPrintableLine(recovery.type === "ran" ? describeRun(recovery) : describeStep(recovery))];
}

type Ran = Extract<Recovery, { readonly type: "ran" }>;

function describeStep(recovery: Exclude<Recovery, Ran | { readonly type: "no-blocker" }>): string {
  if (recovery.type === "aborted") return "The recovery was stopped before it began.";
  if (recovery.type === "settled") return "No file is in conflict any more, and the blocker is cleared.";
  if (recovery.type === "changed")
    return "The blocker was changed by another process meanwhile; nothing was run.";
  if (recovery.type === "call-agent") return recovery.instruction;
  if (recovery.type === "by-hand") return `The blocker needs a person: ${recovery.resolution}`;
  if (recovery.type === "not-allowed") return `The blocker stays: ${recovery.hint}`;
  return `Recovery was tried ${recovery.attempts} times without success, and is not tried again: resolve the blocker by hand, or approve another command.`;
}

function describeRun(ran: Ran): string {
  const command = ran.command.map(renderShellWord).join(" ");
  const { recoveryAttempted, maxRecoveryAttempts } = ran.blocker;
  return `Ran \`${command}\` (attempt ${recoveryAttempted} of ${maxRecoveryAttempts}): ${describeEnd(ran)}`;
}

function describeEnd({ blockerIs, check, end }: Ran): string {
  const said = describeCheck(check, end);
  switch (blockerIs) {
    case "cleared":
      return `${said}, and the blocker is cleared.`;
    case "changed":
      return `${said}, but the blocker was changed by another process meanwhile.`;
    case "there":
      return `${said}, and the blocker stays.${check.by === "nothing" ? ` ${check.hint}.` : ""}`;
  }
}

/** Says by what it is known whether the blocker is gone; only an approved check is called one. */
function describeCheck(check: Ran["check"], end: CommandEnd): string {
  switch (check.by) {
    case "check":
      return check.isPassed ? "the check passes" : "the check does not pass";
    case "git":
      return check.isPassed ? "no file is in conflict any more" : "files are still in conflict";
    case "exit-code":
      return describeCommandEnd(end);
    case "nothing":
      return "the check was not run";
  }
}

function describeCommandEnd(end: CommandEnd): string {
  switch (end.type) {
    case "exited":
      return `it ended with code ${end.code}`;
    case "killed":
      return `it was ended by ${end.signal}`;
    case "timed-out":
      return "it took too long";
    case "aborted":
      return "it was stopped";
    case "not-started":
      return "it could not be started";
  }
}

/** Quotes the end of what was printed by the command that says that a recovery did not help. */
export function quoteRecovery(recovery: Recovery): readonly string[] {
  if (recovery.type !== "ran" || recovery.check.isPassed) return [];
  const end = recovery.check.by === "check" ? recovery.check.end : recovery.end;
  return quoteOutput(end.type === "not-started" ? end.reason : end.output);
}
