import { join } from "node:path";
import type { Brand } from "../../lib/brand.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Scope } from "../gate.ts";
import { isJsonObject, type JsonObject, ownValue } from "../json-object.ts";

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
  /** How many milliseconds a change waits for others: 10,000, unless told. */
  readonly wait?: number;
}

/** Returns where the files of the gates are, in the folder that all work trees of a repository share. */
export function locateGates(commonFolder: string): string {
  return join(commonFolder, "requirements");
}

/** What was read: a standing, or the first field that is not what it should be. */
type ParsedStanding =
  | { readonly type: "standing"; readonly standing: Standing }
  | { readonly type: "bad"; readonly field: string; readonly problem: string };

/** Reads a standing as the file has it. Fields that are missing or null have nothing to say. */
export function parseStanding(value: unknown): ParsedStanding {
  if (!isJsonObject(value)) return { type: "bad", field: "", problem: "is not an object" };
  const bad = findBad(value);
  if (bad !== undefined) return { type: "bad", ...bad };
  return {
    type: "standing",
    standing: {
      triggered: ownValue(value, "triggered") === true,
      triggeredAt: parseTime(ownValue(value, "triggered_at")) ?? null,
      satisfied: ownValue(value, "satisfied") === true,
      satisfiedAt: parseTime(ownValue(value, "satisfied_at")) ?? null,
      satisfiedBy: (ownValue(value, "satisfied_by") ?? null) as string | null,
      metadata: (ownValue(value, "metadata") ?? {}) as JsonObject,
      expiresAt: parseTime(ownValue(value, "expires_at")) ?? null,
    },
  };
}

const isFlag = (value: unknown) => typeof value === "boolean";
const isTime = (value: unknown) => parseTime(value) !== undefined;
const isText = (value: unknown) => typeof value === "string";

const checks: readonly (readonly [field: string, isFine: (value: unknown) => boolean, problem: string])[] = [
  ["triggered", isFlag, "is neither true nor false"],
  ["triggered_at", isTime, "is not a time"],
  ["satisfied", isFlag, "is neither true nor false"],
  ["satisfied_at", isTime, "is not a time"],
  ["satisfied_by", isText, "is not a text"],
  ["metadata", isJsonObject, "is not an object"],
  ["expires_at", isTime, "is not a time"],
];

/** The fields of a standing in the file; at the root of a gate they stand beside `scope` and `sessions`. */
export const standingFields: ReadonlySet<string> = new Set(checks.map(([field]) => field));

function findBad(value: JsonObject): { field: string; problem: string } | undefined {
  // A loop, because every standing of a large file passes here.
  for (const [field, isFine, problem] of checks) {
    const found = ownValue(value, field);
    if (found !== undefined && found !== null && !isFine(found)) return { field, problem };
  }
  return undefined;
}

/** Returns a standing as the file has it, with the fields of the one before that this version does not know. */
export function renderStanding(standing: Standing, before: JsonObject): JsonObject {
  return {
    ...before,
    triggered: standing.triggered,
    triggered_at: renderTime(standing.triggeredAt),
    satisfied: standing.satisfied,
    satisfied_at: renderTime(standing.satisfiedAt),
    satisfied_by: standing.satisfiedBy,
    metadata: standing.metadata,
    expires_at: renderTime(standing.expiresAt),
  };
}

/** Returns a time: of seconds since 1970, or of a text in ISO 8601. Undefined for what is none. */
export function parseTime(value: unknown): Date | undefined {
  if (typeof value !== "number" && typeof value !== "string") return undefined;
  const isIso = typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value);
  if (typeof value === "string" && !isIso) return undefined;
  const time = new Date(typeof value === "number" ? Math.round(value * 1000) : value);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Returns a time in whole seconds since 1970. */
export function renderTime(time: Date | null): number | null {
  return time === null ? null : Math.floor(time.getTime() / 1000);
}
