import { usageError } from "../lib/app-error.ts";
import { suggest } from "../lib/suggest.ts";
import type { GateDesk } from "./gate-desk.ts";
import { readGateState } from "./read-gate-state.ts";
import { listSessions } from "./registry.ts";
import { normalizeSessionId } from "./session-key.ts";
import { ownersIn } from "./state/parse-gate-document.ts";

/** An id that a client made up: two of them are alike only if one is a typing error. Names that people give may well be. */
const madeUp = /^(?:-*[0-9a-f]){8,}$/i;

/**
 * Returns the sessions that somebody may have meant by an id that nobody has registered or recorded on the branch. None where
 * the id is known, or like no other: a session may be spoken of before it is seen, also one of another machine.
 */
export async function guessSession(
  here: GateDesk,
  session: string,
  branch: string | null,
): Promise<readonly string[]> {
  const { sessions } = await listSessions({ path: here.registry });
  const recorded = branch === null || here.place === undefined ? [] : listRecorded(here.place, branch);
  const ids = new Set([...sessions.map(({ key, fullId }) => fullId ?? key), ...recorded]);
  const key = normalizeSessionId(session);
  // Of one that is recorded by its key alone, nobody knows the rest.
  if (ids.has(session) || (key !== undefined && ids.has(key))) return [];
  if (key === session && [...ids].some((id) => normalizeSessionId(id) === key)) return [];
  const candidates = [...ids].filter((id) => madeUp.test(id));
  const near = suggest(session, candidates);
  return near.length > 0
    ? near
    : suggest(
        session,
        candidates.map((id) => normalizeSessionId(id) ?? id),
      );
}

/** Returns the full ids of the sessions of which something is kept, and the keys of those whose id is not known. */
function listRecorded(place: NonNullable<GateDesk["place"]>, branch: string): readonly string[] {
  const { state } = readGateState(place, branch);
  const ownersOf = ownersIn(state);
  const keys = new Set(state.gates().flatMap((gate) => state.sessions(gate)));
  return [...keys].flatMap((key) => {
    const owners = [...ownersOf(key)];
    return owners.length > 0 ? owners : [key];
  });
}

/** Refuses a change for a session that looks like a typing error, unless that is what is meant. */
export async function refuseDoubtful(
  here: GateDesk,
  { session: named, yes }: { readonly session?: string; readonly yes?: true },
  session: string,
  branch: string,
): Promise<void> {
  if (named === undefined || yes) return;
  const near = await guessSession(here, session, branch);
  if (near.length === 0) return;
  throw usageError(
    "doubtful-session",
    `Nothing is known of a session ${session}, and nothing was recorded.`,
    { hint: `${describeGuess(near)} If it is the one that is meant, say so with --yes.` },
  );
}

/** Says which sessions may be meant. */
export function describeGuess(near: readonly string[]): string {
  return `Did you mean ${near.join(", or ")}?`;
}
