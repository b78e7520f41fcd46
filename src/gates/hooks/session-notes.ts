import type { SessionNotes } from "../gate-site.ts";
import type { GatePlace, SessionKey } from "../state/gate-state.ts";
import type { FileProblem } from "../state/problem.ts";
import { readMetrics, type SessionMetrics } from "../state/read-metrics.ts";

/** A session in the files of the gates. */
export interface NotedSession {
  readonly place: GatePlace;
  readonly key: SessionKey;
  readonly branch: string;
  /** Is told what is wrong with the file; nothing of it stops the work. */
  readonly tell: (problem: FileProblem) => void;
}

/** Reads what hooks remember of a session. A file that somebody has changed by hand is read as far as it makes sense. */
export function readNotes({ place, key }: Pick<NotedSession, "place" | "key">): SessionNotes {
  return toNotes(readMetrics(place, key).metrics);
}

/** Changes what hooks remember of a session, and what is counted of it; tells whether that could be written down. */
export async function changeNotes(
  session: NotedSession,
  change: (notes: SessionNotes) => SessionNotes,
  count: (metrics: SessionMetrics) => SessionMetrics = (metrics) => metrics,
): Promise<boolean> {
  const { place, key, branch, tell } = session;
  const { changeMetrics } = await import("../state/change-metrics.ts");
  const { problems, failure } = await changeMetrics(place, key, (metrics) => {
    const startedAt = metrics.startedAt ?? place.clock.now();
    const counted = count({ ...metrics, branch, startedAt });
    // What a change leaves out is forgotten; what another version noted stays.
    const { refused, heldAt, typed, warned, client, id, ...others } = metrics.notes;
    return { ...counted, notes: { ...others, ...change(toNotes(metrics)) } };
  });
  problems.forEach(tell);
  return failure === undefined;
}

/** Returns what hooks remember, of all that is kept of a session. */
export function toNotes({ notes }: Pick<SessionMetrics, "notes">): SessionNotes {
  const { refused, heldAt, typed, warned, client, id } = notes;
  return {
    ...(isRefused(refused) && { refused }),
    ...(isTexts(heldAt) && { heldAt }),
    ...(typeof typed === "string" && { typed }),
    ...(isFigures(warned) && { warned }),
    ...(typeof client === "number" && { client }),
    ...(typeof id === "string" && { id }),
  };
}

function isRefused(value: unknown): value is NonNullable<SessionNotes["refused"]> {
  if (typeof value !== "object" || value === null) return false;
  const { gates, at }: { gates?: unknown; at?: unknown } = value;
  return isTexts(gates) && typeof at === "number";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isFigures(value: unknown): value is Readonly<Record<string, number>> {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((each) => typeof each === "number")
  );
}
