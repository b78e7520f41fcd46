import { isJsonObject, type JsonObject, omitKeys, ownObject, ownValue } from "../json-object.ts";
import { chooseSessionKey, type KeyOwners, normalizeSessionId } from "../session-key.ts";
import {
  type GateState,
  parseStanding,
  parseTime,
  type SessionKey,
  type Standing,
  standingFields,
  untouched,
} from "./gate-state.ts";

/** A state file that has been looked through: its parts are what they should be, and its keys are today's. */
export interface GateDocument {
  readonly value: JsonObject;
  /** By the names of the gates. */
  readonly gates: ReadonlyMap<string, GateRecord>;
}

/** What a state file has of a gate. */
export interface GateRecord {
  /** All but the sessions. */
  readonly root: JsonObject;
  readonly sessions: JsonObject;
}

export const emptyDocument: GateDocument = { value: {}, gates: new Map() };

/** What was read, and what was left out of it because it is not what it should be. */
interface ParsedDocument {
  readonly document: GateDocument;
  readonly problems: readonly string[];
}

/** Looks through a state file. Single parts that are wrong are left out and named. */
export function parseGateDocument(value: JsonObject): ParsedDocument {
  const problems: string[] = [];
  checkFields(value, problems);
  const requirements = ownValue(value, "requirements") ?? {};
  if (!isJsonObject(requirements)) problems.push("requirements is not an object");
  const found = new Map<string, GateRecord>();
  for (const [name, gate] of Object.entries(isJsonObject(requirements) ? requirements : {})) {
    if (isJsonObject(gate)) found.set(name, parseGate(name, gate, problems));
    else problems.push(`${pathOf(name)} is not an object`);
  }
  const sessions = migrateSessionKeys(new Map([...found].map(([name, gate]) => [name, gate.sessions])));
  const gates = new Map(
    [...found].map(([name, { root }]) => [name, { root, sessions: sessions.get(name) ?? {} }]),
  );
  return { document: { value, gates }, problems: shorten(problems) };
}

/** Returns the whole file that a document stands for. */
export function renderGateDocument({ value, gates }: GateDocument): JsonObject {
  const requirements = Object.fromEntries(
    [...gates].map(([name, { root, sessions }]) => [name, { ...root, sessions }]),
  );
  return { ...value, requirements };
}

function checkFields(value: JsonObject, problems: string[]): void {
  for (const field of ["version", "branch", "project"]) {
    const found = ownValue(value, field);
    const isVersion = field === "version" && typeof found === "number";
    if (found !== undefined && typeof found !== "string" && !isVersion)
      problems.push(`${field} is not a text`);
  }
}

function parseGate(name: string, gate: JsonObject, problems: string[]): GateRecord {
  const { sessions = {}, ...all } = gate;
  const bad = findBad(all, problems, pathOf(name));
  const isScopeBad = all.scope !== undefined && typeof all.scope !== "string";
  if (isScopeBad) problems.push(`${pathOf(name)}.scope is not a text`);
  const isOmitted = (key: string) => (bad && standingFields.has(key)) || (isScopeBad && key === "scope");
  const root = bad || isScopeBad ? omitKeys(all, isOmitted) : all;
  if (!isJsonObject(sessions)) {
    problems.push(`${pathOf(name, "sessions")} is not an object`);
    return { root, sessions: {} };
  }
  const dropped = new Set<string>();
  for (const key of Object.keys(sessions)) {
    if (findBad(sessions[key], problems, pathOf(name, "sessions", key))) dropped.add(key);
  }
  return { root, sessions: dropped.size === 0 ? sessions : omitKeys(sessions, (key) => dropped.has(key)) };
}

/** Tells whether a standing is not what it should be, and names what is wrong with it. */
function findBad(value: unknown, problems: string[], path: string): boolean {
  const parsed = parseStanding(value);
  if (parsed.type === "standing") return false;
  problems.push(`${path}${parsed.field === "" ? "" : `.${parsed.field}`} ${parsed.problem}`);
  return true;
}

/** Returns the path of a part for people; ids may be of any length. */
function pathOf(...names: readonly string[]): string {
  const short = names.map((name) => (name.length > 60 ? `${name.slice(0, 60)}…` : name));
  return ["requirements", ...short].join(".");
}

function shorten(problems: readonly string[]): readonly string[] {
  const most = 20;
  if (problems.length <= most) return problems;
  return [...problems.slice(0, most), `${problems.length - most} other parts are not what they should be`];
}

/** The standings of the sessions at each gate, by the name of the gate and the key of the session. */
type SessionTable = ReadonlyMap<string, JsonObject>;

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
    const key = chooseSessionKey(id, (each) => ownersInTable(migrated, each)) ?? id;
    migrated = new Map([...migrated].map(([gate, sessions]) => [gate, moveStanding(sessions, id, key)]));
  }
  return migrated;
}

function ownersInTable(table: SessionTable, key: SessionKey): ReadonlySet<string> {
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

/** Returns the state that a document holds. */
export function toGateState(branch: string, project: string, { value, gates }: GateDocument): GateState {
  const stored = ownValue(value, "project");
  return {
    branch,
    project: typeof stored === "string" ? stored : project,
    standing: (gate, session) => {
      const record = gates.get(gate);
      if (record === undefined) return untouched;
      return readStanding(session === "all" ? record.root : ownValue(record.sessions, session));
    },
    sessions: (gate) => Object.keys(gates.get(gate)?.sessions ?? {}) as SessionKey[],
    gates: () => [...gates.keys()],
  };
}

/** Returns the standing that a value of the file stands for; untouched where there is none. */
function readStanding(value: unknown): Standing {
  if (value === undefined) return untouched;
  const parsed = parseStanding(value);
  return parsed.type === "standing" ? parsed.standing : untouched;
}

/** Returns who owns the keys in a state, as its standings tell. Whoever named a session by its key did not say whose it is. */
export function ownersIn(state: GateState): KeyOwners {
  return (key) => {
    const ids = state.gates().map((gate) => (state.standing(gate, key).metadata as JsonObject).full_id);
    return new Set(ids.filter((id): id is string => typeof id === "string" && id !== key));
  };
}
