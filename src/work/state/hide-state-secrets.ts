import { hideSecrets } from "../../redaction/hide-secrets.ts";
import type { Blocker } from "../blocker.ts";
import type { WorkState } from "../work-state.ts";

/** Hides the secrets in what a state says in words: the log never has them, and the file has no need to. */
export function hideStateSecrets(state: WorkState): WorkState {
  const { refusedCommit } = state;
  return {
    ...state,
    ...(refusedCommit !== undefined && { refusedCommit: hideSecrets(refusedCommit) }),
    workingOn: hideSecrets(state.workingOn),
    nextSteps: state.nextSteps.map((text) => hideSecrets(text)),
    completed: state.completed.map((text) => hideSecrets(text)),
    pending: state.pending.map((text) => hideSecrets(text)),
    blocker: state.blocker && hideInBlocker(state.blocker),
  };
}

function hideInBlocker(blocker: Blocker): Blocker {
  const { description, errorPattern, resolution, appearedAfter } = blocker;
  return {
    ...blocker,
    description: hideSecrets(description),
    ...(errorPattern !== undefined && { errorPattern: hideSecrets(errorPattern) }),
    ...(resolution !== undefined && { resolution: hideSecrets(resolution) }),
    ...(appearedAfter !== undefined && { appearedAfter: hideSecrets(appearedAfter) }),
  };
}
