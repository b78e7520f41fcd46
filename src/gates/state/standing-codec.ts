import { isJsonObject, type JsonObject, ownValue } from "../json-object.ts";
import type { Standing } from "./gate-state.ts";

/** What was read: a standing, or the first field that is not what it should be. */
export type ParsedStanding =
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
