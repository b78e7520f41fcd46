import type { Turn } from "../../clients/claude-code/read-turn.ts";
import type { Liveness } from "../../lib/process-identity.ts";
import type { SessionStatus } from "../../sessions/session.ts";

/** What is known of a session that nobody has said to have ended. */
export interface Signs {
  /** What the client's list of processes says of it; `unlisted` where it is not there, undefined without a list. */
  readonly listed: Liveness | "unlisted" | undefined;
  readonly updatedAt: Date;
  readonly now: Date;
  readonly turn: Turn | null;
  /** The last event that a hook told of; null for a session that no hook has seen. */
  readonly lastEvent: string | null;
}

/** A client puts itself on its list before it says anything, but not at the same moment. */
const listedWithinMs = 120_000;
/** Nobody waits longer for an answer to a prompt; a person who comes back later opens the session anew. */
const aliveForMs = 12 * 3_600_000;

/**
 * Tells how a session stands of whose end no hook has told. Pure.
 *
 * One that hooks have seen would have told of its end, so that it was cut off; of one that is known from its
 * transcript alone, only a turn that has no end says so.
 */
export function judgeStatus(signs: Signs): SessionStatus {
  if (!isGone(signs)) return "open";
  const wasSeen = signs.lastEvent !== null && signs.lastEvent !== "SessionStart";
  return wasSeen || signs.turn === "running" ? "interrupted" : "ended";
}

/** What is known of a session of whose end a hook has told. */
export interface EndSigns {
  /** Why it ended, in the words of the client. */
  readonly reason: string | null;
  /** The event that a hook told of before the end; null when there was none. */
  readonly lastEvent: string | null;
  readonly turn: Turn | null;
}

/** After these events the user has the word. */
const betweenTurns: ReadonlySet<string | null> = new Set([null, "SessionStart", "Stop", "SessionEnd"]);

/**
 * Tells how a session ended of whose end a hook has told. Pure.
 *
 * A client that is sent SIGHUP or SIGTERM, as by a terminal that is closed, still tells of its end: with the reason
 * `other`, which it also gives when a run without a terminal is done. A turn that was not over tells them apart; one
 * that the user has stopped has no Stop either, but is over in the transcript.
 */
export function judgeEnd({ reason, lastEvent, turn }: EndSigns): "ended" | "interrupted" {
  if (reason !== "other" || betweenTurns.has(lastEvent)) return "ended";
  return turn === "done" ? "ended" : "interrupted";
}

function isGone({ listed, updatedAt, now }: Signs): boolean {
  const silentMs = now.getTime() - updatedAt.getTime();
  switch (listed) {
    case "alive":
      return false;
    case "gone":
      return true;
    case "unlisted":
      return silentMs > listedWithinMs;
    case "unknown":
    case undefined:
      return silentMs > aliveForMs;
  }
}
