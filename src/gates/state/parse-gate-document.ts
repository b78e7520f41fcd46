import { isJsonObject, type JsonObject, omitKeys, ownValue } from "../json-object.ts";
import { migrateSessionKeys } from "./migrate-session-keys.ts";
import { parseStanding, standingFields } from "./standing-codec.ts";

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
export interface ParsedDocument {
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
