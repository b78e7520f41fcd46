import type { Blocker } from "./blocker.ts";
import { stateVersion } from "./state/parse-work-state.ts";
import { progressOf, type WorkState } from "./work-state.ts";

/** Returns the text of session-state.json. Fields that another version knows are kept as they are. */
export function renderWorkState(state: WorkState, unknown: Readonly<Record<string, unknown>> = {}): string {
  return `${JSON.stringify({ ...toKeptState(state), ...unknown }, undefined, 2)}\n`;
}

/** Returns a state as the file and the log have it: without a commit that is not known, which is another thing than none. */
export function toKeptState(state: WorkState): Readonly<Record<string, unknown>> {
  const fields = Object.entries(toWireState(state));
  return Object.fromEntries(fields.filter(([name]) => name !== "git_commit" || !state.isCommitUnknown));
}

/** Returns a state with all its fields. */
export function toWireState(state: WorkState): Readonly<Record<string, unknown>> {
  return {
    version: stateVersion,
    mode: state.mode,
    saved_at: state.savedAt.toISOString(),
    git_branch: state.branch,
    git_commit: state.commit,
    git_pushed: state.isPushed,
    ...(state.refusedCommit !== undefined && { commit_refused: state.refusedCommit }),
    openspec: state.change,
    openspec_status: state.changeStatus,
    working_on: state.workingOn,
    next_steps: state.nextSteps,
    blocker: state.blocker && toWireBlocker(state.blocker),
    completed_tasks: state.completed,
    pending_tasks: state.pending,
    task_progress: progressOf(state),
    session: state.session,
    modified_files: state.modifiedFiles.map(({ path, sha256, leftOut }) => ({
      path,
      sha256,
      ...(leftOut !== undefined && { left_out: leftOut }),
    })),
  };
}

/** The description is written under both of the names that it is known by. */
export function toWireBlocker(blocker: Blocker) {
  return {
    type: blocker.type,
    severity: blocker.severity,
    ...blocker.foreign,
    description: blocker.description,
    message: blocker.description,
    error_pattern: blocker.errorPattern ?? null,
    resolution: blocker.resolution ?? null,
    appeared_after: blocker.appearedAfter ?? null,
    detected_at: blocker.detectedAt.toISOString(),
    auto_detected: blocker.isAutoDetected,
    recovery_agent: blocker.recoveryAgent ?? null,
    recovery_attempted: blocker.recoveryAttempted,
    max_recovery_attempts: blocker.maxRecoveryAttempts,
    ...(blocker.isStale && { not_run_again: true }),
  };
}
