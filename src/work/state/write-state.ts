import { describeExposed } from "../../git/describe-exposed.ts";
import { excludeFromCommits, lockPattern } from "../../git/exclude-list.ts";
import { askGit } from "../../git/git.ts";
import { AppError } from "../../lib/app-error.ts";
import type { Blocker } from "../blocker.ts";
import { followBlocker } from "../blockers/follow-blocker.ts";
import { renderWorkState, toWireBlocker } from "../render-work-state.ts";
import { statePatterns } from "../state-file.ts";
import { type ChangedState, changeState, type FoundState } from "../state-store.ts";
import type { WorkDesk } from "../work-desk.ts";
import { mayTakeOver, WorkRecord } from "../work-record.ts";
import type { WorkState } from "../work-state.ts";

/**
 * Writes a state, in the log and then in its file, that is made of what is there at that moment; `known` is what was
 * read before.
 *
 * A blocker that somebody has put down, or resolved, meanwhile stays so.
 */
export function writeState(
  desk: WorkDesk,
  known: WorkState | undefined,
  make: (latest: WorkState | undefined) => Promise<WorkState>,
): Promise<ChangedState> {
  const { site } = desk;
  const change = async (found: FoundState): Promise<WorkState> => {
    const state = await make(found.type === "state" ? found.state : known);
    if (found.type !== "state") return state;
    const { blocker, blockerResolvedAt } = found.state;
    const isOurs = describe(blocker) === describe(known?.blocker ?? null);
    if (isOurs) return { ...state, blockerResolvedAt };
    return followBlocker(desk, { ...state, blocker, blockerResolvedAt });
  };
  const keep = (state: WorkState) => new WorkRecord(site).keep(state);
  // What was read before has been judged, or is from the log.
  const isForeign = async (state: WorkState) =>
    !isSameState(state, known) && !(await mayTakeOver(desk, state));
  return changeState(site.root, site.clock.now(), change, { keep, isForeign });
}

/** Tells whether two states say the same, also where there is none. */
export function isSameState(one: WorkState | undefined, other: WorkState | undefined): boolean {
  const render = (state: WorkState | undefined) => (state === undefined ? "" : renderWorkState(state));
  return render(one) === render(other);
}

/** In one form, whether it was read or made. */
function describe(blocker: Blocker | null): string {
  return JSON.stringify(blocker && toWireBlocker(blocker));
}

/** Keeps the state out of commits; returns what is to be said where that is not possible. */
export async function keepStateOut({ git, site }: WorkDesk): Promise<readonly string[]> {
  if (git === undefined) return [];
  try {
    await excludeFromCommits(git, [...statePatterns, lockPattern]);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const [line = ""] = statePatterns;
    const { code } = await askGit(site.root, ["check-ignore", "--quiet", "--", line.slice(1)]);
    return code === 0 ? [] : [describeExposed(line.slice(1), line, error)];
  }
}
