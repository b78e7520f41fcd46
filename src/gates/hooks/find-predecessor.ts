import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readContent } from "../state/file-content.ts";
import type { GatePlace } from "../state/gate-place.ts";
import type { SessionKey } from "../state/gate-state.ts";
import { readMetrics } from "../state/read-metrics.ts";
import { toNotes } from "./session-notes.ts";

/** A session that begins, and the client that runs it. */
export interface Successor {
  readonly place: GatePlace;
  readonly key: SessionKey;
  readonly branch: string;
  readonly client: number;
}

/**
 * Returns the session whose work another one continues: the last one that the same client has ended on the same branch
 * within so many seconds. Without one of the same client it is the only one that has ended there; of several, nobody
 * can say which it is.
 */
export function findPredecessor(successor: Successor, windowSeconds: number): SessionKey | undefined {
  const ended = listEnded(successor, windowSeconds);
  const own = ended.filter(({ client }) => client === successor.client);
  const newest = own.toSorted((one, other) => other.at - one.at)[0];
  return newest?.key ?? (ended.length === 1 ? ended[0]?.key : undefined);
}

interface EndedSession {
  readonly key: SessionKey;
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
    return [{ key, at, client: toNotes(metrics).client }];
  });
}

/** Returns the sessions of which something was written lately; there may be thousands of others. */
function listKeys({ folder }: GatePlace, windowSeconds: number): readonly SessionKey[] {
  const sessions = join(folder, "sessions");
  const since = Date.now() - (windowSeconds + 60) * 1000;
  return readNames(sessions).flatMap((name) => {
    const path = join(sessions, name);
    if ((statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < since) return [];
    const content = readContent(path);
    const id = content.type === "document" ? content.value.session_id : undefined;
    return typeof id === "string" ? [id as SessionKey] : [];
  });
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch (error) {
    // Nothing was ever written down, or it cannot be read: then nothing is taken over.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
