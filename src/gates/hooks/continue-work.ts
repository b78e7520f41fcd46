import { statSync } from "node:fs";
import type { DecideTakeover } from "../gate-site.ts";
import { findKey } from "../gather-facts.ts";
import { readGateState } from "../read-gate-state.ts";
import { changeGateState } from "../state/change-gate-state.ts";
import { readContent } from "../state/file-content.ts";
import type { GateState, SessionKey } from "../state/gate-state.ts";
import { listBranchFiles, listJsonFiles } from "../state/list-branch-files.ts";
import { locateMetrics, readMetrics } from "../state/read-metrics.ts";
import { type NotedSession, toNotes } from "./session-notes.ts";

/** A session that begins, and the client that runs it. */
interface Successor extends NotedSession {
  /** Its id as its client says it. */
  readonly session: string;
  readonly client: number;
}

/** What a session takes over, from one that ended at most so many seconds ago. */
interface Takeover {
  readonly seconds: number;
  readonly decide: DecideTakeover;
}

/** Lets a session take over what the one before had satisfied, on each branch on which that one did so. */
export async function continueWork(successor: Successor, { seconds, decide }: Takeover): Promise<void> {
  const { place, branch: own, session, tell } = successor;
  const from = findPredecessor(successor, seconds);
  if (from === undefined) return;
  // Of a session whose id is not known in full, nothing is sure on other branches.
  const others = from.id === undefined ? [] : listBranchFiles(place.folder);
  for (const branch of new Set([own, ...others.map((each) => each.branch)])) {
    const change = (state: GateState) => {
      const known = { state, session: findKey(session, state), fullId: session, branch };
      const facts = { ...known, now: place.clock.now(), figures: new Map(), others: [] };
      return decide(facts, from.id === undefined ? from.key : findKey(from.id, state));
    };
    const { state, isReadable } = readGateState(place, branch);
    if (isReadable && change(state).length > 0)
      (await changeGateState(place, branch, change)).problems.forEach(tell);
  }
}

/**
 * Returns the session whose work another one continues: the last one that the same client has ended on the same branch
 * within so many seconds. Without one of the same client it is the only one that has ended there; of several, nobody
 * can say which it is.
 */
function findPredecessor(successor: Successor, windowSeconds: number): EndedSession | undefined {
  const ended = listEnded(successor, windowSeconds);
  const own = ended.filter(({ client }) => client === successor.client);
  const newest = own.toSorted((one, other) => other.at - one.at)[0];
  return newest ?? (ended.length === 1 ? ended[0] : undefined);
}

interface EndedSession {
  readonly key: SessionKey;
  readonly id: string | undefined;
  readonly at: number;
  readonly client: number | undefined;
}

function listEnded({ place, key: own, branch }: Successor, windowSeconds: number): readonly EndedSession[] {
  const now = place.clock.now().getTime();
  return listKeys(place, windowSeconds).flatMap((key) => {
    const { metrics } = readMetrics(place, key);
    const at = metrics.endedAt?.getTime();
    // Moments are kept in whole seconds.
    const isRecent = at !== undefined && now - at < (windowSeconds + 1) * 1000;
    if (key === own || metrics.branch !== branch || !isRecent) return [];
    const { client, id } = toNotes(metrics);
    return [{ key, id, at, client }];
  });
}

/** Returns the sessions of which something was written lately; there may be thousands of others. */
function listKeys(place: Successor["place"], windowSeconds: number): readonly SessionKey[] {
  const since = Date.now() - (windowSeconds + 60) * 1000;
  return listJsonFiles([place.folder, locateMetrics(place)]).flatMap((path) => {
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < since) return [];
    const content = readContent(path);
    const id = content.type === "document" ? content.value.session_id : undefined;
    return typeof id === "string" ? [id as SessionKey] : [];
  });
}
