import { readUnmerged } from "../git/git-facts.ts";
import type { Command } from "../lib/command.ts";
import { type CommandEnd, type CommandPlace, runCommand } from "../lib/run-command.ts";
import type { Project } from "../sessions/project.ts";
import { readConfig } from "../workspace/read-config.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type CheckName, findApproved, hashOf } from "./approvals.ts";
import type { Blocker, BlockerType } from "./blocker.ts";
import { readRecovery, readRecoveryAgents } from "./blocker-settings.ts";
import {
  type Approved,
  decideRecovery,
  type RecoveryMeans,
  type RecoveryStep,
} from "./recovery/decide-recovery.ts";
import { findRecoveryAgents, recoveryAgentsFor } from "./recovery-agent.ts";

/** Where the blocker of a project is kept. */
export interface BlockerKeeper {
  /**
   * Changes the blocker while nobody else does, and returns the one that is there then.
   *
   * When it returns, the change is on disk. A `change` that returns what it was given changes nothing; null clears it.
   */
  changeBlocker(change: (blocker: Blocker | null) => Blocker | null): Promise<Blocker | null>;
}

/** What a recovery is given. */
export type RecoveryDesk = Omit<CommandPlace, "cwd"> &
  Pick<Workspace, "home" | "root"> & {
    readonly keeper: BlockerKeeper;
    readonly project: Pick<Project, "id">;
    readonly isUnderAgent: boolean;
  };

/** What came of a recovery. */
export type Recovery =
  | { readonly type: "no-blocker" }
  /** Another process has changed or cleared the blocker meanwhile; nothing was run. */
  | { readonly type: "changed" }
  /** Git has no conflict any more: there was nothing to run, and the blocker is cleared. */
  | { readonly type: "settled"; readonly blocker: Blocker }
  /** It was told to stop before anything was run. */
  | { readonly type: "aborted" }
  | (Exclude<RecoveryStep, { readonly type: "run" }> & { readonly blocker: Blocker })
  | {
      readonly type: "ran";
      /** As it was when the command was run, this attempt counted. */
      readonly blocker: Blocker;
      readonly command: Command;
      readonly end: CommandEnd;
      readonly check: RecoveryCheck;
      /** Whether it was cleared; `changed` where the check passed, but another process has changed it meanwhile. */
      readonly blockerIs: "cleared" | "there" | "changed";
    };

/**
 * Tries once to clear the blocker of a project, with a command that the user has approved or by an agent.
 *
 * The attempt is counted on disk before anything is run, so that one that is killed counts; and under the keeper's lock, so
 * that many at once never make more than the blocker allows. The blocker is cleared only if the check passes and it is
 * still the same.
 */
export async function recover(desk: RecoveryDesk): Promise<Recovery> {
  const { keeper, root, env, timeoutMs, signal } = desk;
  const seen = await keeper.changeBlocker((blocker) => blocker);
  if (seen === null) return { type: "no-blocker" };
  if (seen.type === "merge_conflict" && seen.isAutoDetected && (await readUnmerged(root))?.length === 0) {
    const left = await keeper.changeBlocker((now) => (isSame(now, seen) ? null : now));
    return left === null ? { type: "settled", blocker: seen } : { type: "changed" };
  }
  const means = await readMeans(desk, seen);
  if (signal?.aborted === true) return { type: "aborted" };
  const begun = await begin(keeper, seen, means);
  if (begun.type !== "run") return begun;
  const { command, blocker } = begun;
  const place = { cwd: root, env, timeoutMs, signal };
  const end = await runCommand(command, place);
  const check = await checkRecovery(desk, blocker, end);
  const after = check.isPassed
    ? await keeper.changeBlocker((now) => (isSame(now, blocker) ? null : now))
    : blocker;
  const blockerIs = check.isPassed ? (after === null ? "cleared" : "changed") : "there";
  return { type: "ran", blocker, command, end, check, blockerIs };
}

/** Finds out how a blocker can be cleared. A command of the project wins over one for all of them. */
async function readMeans(
  { home, project, isUnderAgent, root, env }: RecoveryDesk,
  { type }: Blocker,
): Promise<RecoveryMeans> {
  const { recovery, recoveryAgents } = await readConfig(home, () => ({
    recovery: readRecovery,
    recoveryAgents: readRecoveryAgents,
  }));
  const ofProject = await findApproved(home, project, { kind: "recovery", name: type });
  const ofAll = recovery?.[type];
  const approved: Approved =
    ofProject.type === "none" && ofAll !== undefined ? { type: "approved", command: ofAll } : ofProject;
  // Only an agent is told to call others, and only those that are there.
  const agents = isUnderAgent
    ? await findRecoveryAgents(type, recoveryAgents, { root, env })
    : recoveryAgentsFor(type, recoveryAgents);
  return { approved, agents, isUnderAgent };
}

type Begun =
  | Exclude<Recovery, { readonly type: "ran" | "no-blocker" | "aborted" | "settled" }>
  | { readonly type: "run"; readonly command: Command; readonly blocker: Blocker };

/** Decides under the lock, and counts the attempt if there is one. */
async function begin(keeper: BlockerKeeper, seen: Blocker, means: RecoveryMeans): Promise<Begun> {
  let begun: Begun = { type: "changed" };
  await keeper.changeBlocker((blocker) => {
    if (blocker === null || !isSame(blocker, seen)) return blocker;
    const tried = countAnew(blocker, means);
    const step = decideRecovery(tried, means);
    const isAttempt = step.type === "run" || step.type === "call-agent";
    const counted = isAttempt ? { ...tried, recoveryAttempted: tried.recoveryAttempted + 1 } : blocker;
    begun = { ...step, blocker: counted };
    return counted;
  });
  return begun;
}

/** What was tried before says nothing of a command that was approved since. */
function countAnew(blocker: Blocker, { approved }: RecoveryMeans): Blocker {
  const recoveryCommand = approved.type === "approved" ? hashOf(approved.command) : undefined;
  if (recoveryCommand === undefined || recoveryCommand === blocker.recoveryCommand) return blocker;
  return { ...blocker, recoveryCommand, recoveryAttempted: 0 };
}

/** Tells whether a blocker is still the one that was seen; how often recovery was tried does not matter. */
function isSame(now: Blocker | null, seen: Blocker): boolean {
  return (
    now !== null &&
    now.type === seen.type &&
    now.description === seen.description &&
    now.detectedAt.getTime() === seen.detectedAt.getTime()
  );
}

/** What says whether a blocker is gone: the approved check, git, or the exit code of the recovery itself. */
type RecoveryCheck = { readonly isPassed: boolean } & (
  | { readonly by: "check"; readonly command: Command; readonly end: CommandEnd }
  | { readonly by: "git"; readonly unmerged: readonly string[] | undefined }
  | { readonly by: "exit-code" }
  /** The check is not the command that was approved, and was not run. */
  | { readonly by: "nothing"; readonly hint: string }
);

/** Checks whether a blocker is gone after its recovery was run. */
async function checkRecovery(
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
