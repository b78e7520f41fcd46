import type { SessionId } from "../../sessions/ids.ts";
import type { LinkedEntry, ReplicaHead } from "../../sessions/replica.ts";
import { readScrubNote } from "../../sessions/scrub-note.ts";
import type { Plan } from "./plan-session.ts";

/** A session on its way from one store to another. */
export interface Journey {
  readonly head: ReplicaHead;
  readonly plan: Extract<Plan, { type: "begin" | "extend" }>;
  /** The machine that it comes from. */
  readonly machine: string;
  /** The machine whose own store it comes to; undefined for a store that others use. */
  readonly targetMachine: string | undefined;
  /** The id that it has there; undefined as long as it is not there. */
  arrivedAs: SessionId | undefined;
  /** The last entry that is there. */
  arrived: number;
  /** How many entries were brought. */
  brought: number;
  /** Whether it goes on in pieces, has to arrive in one go, or is over. */
  manner: "in-pieces" | "whole" | "over";
}

/** Tells whether an entry has been scrubbed, or says that others were: such a session arrives whole or not at all. */
export function isOfScrub({ kind, body, scrubbedFrom }: LinkedEntry): boolean {
  return scrubbedFrom !== null || (kind === "event" && readScrubNote(body).length > 0);
}
