import { readUnmerged } from "../../git/git-facts.ts";
import type { Command } from "../../lib/command.ts";
import { type CommandEnd, runCommand } from "../../lib/run-command.ts";
import { type CheckName, findApproved } from "../approvals.ts";
import type { Blocker, BlockerType } from "../blocker.ts";
import type { RecoveryDesk } from "./recovery-desk.ts";

/** What says whether a blocker is gone: the approved check, git, or the exit code of the recovery itself. */
export type RecoveryCheck = { readonly isPassed: boolean } & (
  | { readonly by: "check"; readonly command: Command; readonly end: CommandEnd }
  | { readonly by: "git"; readonly unmerged: readonly string[] | undefined }
  | { readonly by: "exit-code" }
  /** The check is not the command that was approved, and was not run. */
  | { readonly by: "nothing"; readonly hint: string }
);

/** Checks whether a blocker is gone after its recovery was run. */
export async function checkRecovery(
  { home, project, root, env, timeoutMs, signal }: RecoveryDesk,
  { type }: Blocker,
  end: CommandEnd,
): Promise<RecoveryCheck> {
  const byExitCode = { by: "exit-code", isPassed: isWell(end) } as const;
  // What was stopped half-way has left who knows what.
  if (end.type !== "exited") return byExitCode;
  if (type === "merge_conflict") {
    const unmerged = await readUnmerged(root);
    return { by: "git", unmerged, isPassed: unmerged?.length === 0 };
  }
  const name = checkOf(type);
  if (name === undefined) return byExitCode;
  const approved = await findApproved(home, project, { kind: "check", name });
  if (approved.type === "none") return byExitCode;
  if (approved.type === "altered") return { by: "nothing", hint: approved.hint, isPassed: false };
  const { command } = approved;
  const checked = await runCommand(command, { cwd: root, env, timeoutMs, signal });
  return { by: "check", command, end: checked, isPassed: isWell(checked) };
}

function isWell(end: CommandEnd): boolean {
  return end.type === "exited" && end.code === 0;
}

function checkOf(type: BlockerType): CheckName | undefined {
  if (type === "build_error") return "build";
  return type === "test_failure" ? "test" : undefined;
}
