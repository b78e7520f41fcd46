import { join } from "node:path";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Scope } from "../gate.ts";

/** The name of a session in the state of the gates: the first 8 characters of a long id, more where two agree in them. */
export type SessionKey = Brand<string, "SessionKey">;

/** What has become of a gate: for one session, or at the root for all sessions of a branch. */
export interface Standing {
  readonly triggered: boolean;
  readonly triggeredAt: Date | null;
  readonly satisfied: boolean;
  readonly satisfiedAt: Date | null;
  /** How it was satisfied: `cli`, `skill`, `approval` or `carry_over`; other tools may write other words. */
  readonly satisfiedBy: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The moment from which the satisfaction no longer counts. */
  readonly expiresAt: Date | null;
}

/** The standing of a gate of which nothing is known. */
export const untouched: Standing = {
  triggered: false,
  triggeredAt: null,
  satisfied: false,
  satisfiedAt: null,
  satisfiedBy: null,
  metadata: {},
  expiresAt: null,
};

/**
 * What has become of the gates of a branch, as the file says it. Standings are read when they are asked for: a file may
 * hold thousands of old sessions, of which a verdict needs one.
 */
export interface GateState {
  readonly branch: string;
  readonly project: string;
  /** Returns what has become of a gate for a session, or for all sessions of the branch. */
  standing(gate: string, session: SessionKey | "all"): Standing;
  /** Returns the sessions of which something is known at a gate. */
  sessions(gate: string): readonly SessionKey[];
  gates(): readonly string[];
}

/** A change of the state; pure, so that it can be made under the lock on what is there then. */
export type GateChange =
  | {
      readonly type: "set";
      readonly gate: string;
      readonly scope: Scope;
      readonly session: SessionKey | "all";
      readonly standing: Standing;
    }
  | {
      readonly type: "forget";
      readonly gate: string;
      readonly session: SessionKey | "all" | "every-session";
    };

/** Where the state of the gates of a repository is. */
export interface GatePlace {
  /** `<git-common-dir>/requirements`, which all work trees share. */
  readonly folder: string;
  /** What a new file names as its project. */
  readonly project: string;
  readonly clock: Clock;
  /** A folder for what is derived from large files; two repositories that share one get in each other's way. */
  readonly cache?: string;
  /** The bytes from which on a file is worth a view: 64 KiB, unless told. */
  readonly viewFrom?: number;
  /** How many milliseconds a change waits for others: 10,000, unless told. */
  readonly wait?: number;
}

/** Returns where the files of the gates are, in the folder that all work trees of a repository share. */
export function locateGates(commonFolder: string): string {
  return join(commonFolder, "requirements");
}
