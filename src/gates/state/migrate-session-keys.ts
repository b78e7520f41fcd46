import { type JsonObject, ownObject, ownValue } from "../json-object.ts";
import { chooseSessionKey, normalizeSessionId } from "../session-key.ts";
import type { SessionKey } from "./gate-state.ts";
import { parseTime } from "./standing-codec.ts";

/** The standings of the sessions at each gate, by the name of the gate and the key of the session. */
export type SessionTable = ReadonlyMap<string, JsonObject>;

/**
 * Brings the sessions of an older file under the keys that they have today. Where something is kept of a session under
 * both, the newer satisfaction stays. Returns the same table when there is nothing to do.
 */
export function migrateSessionKeys(table: SessionTable): SessionTable {
  const old = new Set<string>();
  for (const sessions of table.values()) {
    for (const key of Object.keys(sessions)) if ((normalizeSessionId(key) ?? key) !== key) old.add(key);
  }
  if (old.size === 0) return table;
  let migrated = table;
  for (const id of old) {
    const key = chooseSessionKey(id, (each) => ownersIn(migrated, each)) ?? id;
    migrated = new Map([...migrated].map(([gate, sessions]) => [gate, moveStanding(sessions, id, key)]));
  }
  return migrated;
}

function ownersIn(table: SessionTable, key: SessionKey): ReadonlySet<string> {
  const owners = [...table.values()].map((sessions) => fullIdOf(ownObject(sessions, key)));
  return new Set(owners.filter((owner) => owner !== undefined));
}

function fullIdOf(standing: JsonObject): string | undefined {
  const id = ownValue(ownObject(standing, "metadata"), "full_id");
  return typeof id === "string" ? id : undefined;
}

function moveStanding(sessions: JsonObject, id: string, key: string): JsonObject {
  if (!Object.hasOwn(sessions, id)) return sessions;
  const { [id]: _moved, ...rest } = sessions;
  const standing = ownObject(sessions, id);
  const named = { ...standing, metadata: { full_id: id, ...ownObject(standing, "metadata") } };
  const there = ownValue(rest, key);
  return { ...rest, [key]: there === undefined ? named : merge(named, there as JsonObject) };
}

/** Returns the standing with the newer satisfaction, with the full id and the trigger of either. */
function merge(one: JsonObject, other: JsonObject): JsonObject {
  const [newer, older] = satisfactionOf(other) > satisfactionOf(one) ? [other, one] : [one, other];
  const full_id = fullIdOf(one) ?? fullIdOf(other);
  const isTriggered = newer.triggered === true || older.triggered !== true;
  const trigger = isTriggered ? {} : { triggered: true, triggered_at: older.triggered_at ?? null };
  return { ...newer, ...trigger, metadata: { ...ownObject(newer, "metadata"), full_id } };
}

/** Returns when a standing was satisfied; the beginning of time for one that is not. */
function satisfactionOf(standing: JsonObject): number {
  if (standing.satisfied !== true) return Number.NEGATIVE_INFINITY;
  return parseTime(standing.satisfied_at)?.getTime() ?? Number.MIN_SAFE_INTEGER;
}
