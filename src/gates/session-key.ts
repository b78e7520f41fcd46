import type { Liveness, ProcessIdentity } from "../lib/process-identity.ts";
import { isJsonObject, type JsonObject, ownObject, ownValue } from "./json-object.ts";
import { parseTime, renderTime, type SessionKey } from "./state/gate-state.ts";

/** Returns the full ids of the sessions that something is kept of under a key, as far as they are known. */
export type KeyOwners = (key: SessionKey) => ReadonlySet<string>;

/** Words that the state of a gate uses for itself, in the place of a session. */
const reserved: ReadonlySet<string> = new Set(["all", "every-session"]);

/** An id of 32 hex digits stands for itself only in full, so that a longer key must have fewer. */
const lengths = [8, 12, 16, 20, 24, 28];

/**
 * Returns the key that a session is known by as long as no other has the same: the first 8 of 32 or more hex digits,
 * else the whole id. A key is its own key; an empty id has none.
 */
export function normalizeSessionId(id: string): SessionKey | undefined {
  if (id === "") return undefined;
  const digits = hexDigitsOf(id);
  if (digits !== undefined) return digits.slice(0, 8) as SessionKey;
  return (reserved.has(id) ? `id-${id}` : id) as SessionKey;
}

/**
 * Returns the key of a session among others: the one that it has, else the shortest that no other has.
 *
 * A key under which something is kept of nobody known belongs to whoever comes: older tools do not write whose it is.
 */
export function chooseSessionKey(id: string, ownersOf: KeyOwners): SessionKey | undefined {
  const short = normalizeSessionId(id);
  const digits = hexDigitsOf(id);
  if (short === undefined || digits === undefined) return short;
  const last = `id-${id}` as SessionKey;
  const keys = [...lengths.map((length) => digits.slice(0, length) as SessionKey), last];
  let free: SessionKey | undefined;
  for (const key of keys) {
    const ids = ownersOf(key);
    // Most sessions have the first: the others need not be looked at.
    if (ids.size === 1 && ids.has(id)) return key;
    if (ids.size === 0) free ??= key;
  }
  return free ?? last;
}

/** Returns the digits of an id that has nothing but them and dashes; undefined for any other. */
function hexDigitsOf(id: string): string | undefined {
  if (id.length < 32) return undefined;
  const digits = id.replaceAll("-", "");
  return digits.length >= 32 && /^[0-9a-f]+$/i.test(digits) ? digits : undefined;
}

/** A session that runs, as the registry has it. */
export interface RegisteredSession {
  readonly key: SessionKey;
  /** The whole id, where it is known. */
  readonly fullId: string | null;
  /** The process that registered it, and the client that runs it. */
  readonly pid: number;
  readonly ppid: number;
  readonly projectDir: string;
  readonly branch: string | null;
  readonly startedAt: Date | null;
  readonly lastActive: Date | null;
}

/** A session of the registry, and whether its client still runs: "unknown" on another machine or in another container. */
export interface ListedSession extends RegisteredSession {
  readonly liveness: Liveness;
}

/** Reads an entry of the registry; the name of the field that is not what it should be when it is none. */
export function parseEntry(key: string, value: unknown): RegisteredSession | string {
  if (!isJsonObject(value)) return "is not an object";
  const { pid, ppid, project_dir, branch = null } = value;
  if (typeof ppid !== "number" || !Number.isSafeInteger(ppid)) return "ppid is not a process id";
  if (typeof project_dir !== "string") return "project_dir is not a text";
  if (branch !== null && typeof branch !== "string") return "branch is not a text";
  const fullId = ownValue(value, "full_id");
  return {
    key: key as SessionKey,
    fullId: typeof fullId === "string" ? fullId : null,
    pid: typeof pid === "number" ? pid : ppid,
    ppid,
    projectDir: project_dir,
    branch,
    startedAt: parseTime(value.started_at) ?? null,
    lastActive: parseTime(value.last_active) ?? null,
  };
}

/** Returns an entry as the registry has it, with what the one before says beyond that. */
export function renderEntry(
  session: RegisteredSession,
  client: ProcessIdentity,
  before: JsonObject,
): JsonObject {
  const { started, boot, host, machine, pidNamespace } = client;
  return {
    ...before,
    pid: session.pid,
    ppid: session.ppid,
    project_dir: session.projectDir,
    branch: session.branch,
    started_at: renderTime(session.startedAt),
    last_active: renderTime(session.lastActive),
    full_id: session.fullId,
    client: { started, boot, host, machine, pid_namespace: pidNamespace },
  };
}

/** Returns the identity of the client of an entry. One that does not say where it ran is taken to have run here. */
export function clientOf(entry: JsonObject, own: ProcessIdentity): ProcessIdentity {
  const pid = typeof entry.ppid === "number" ? entry.ppid : 0;
  const client = ownObject(entry, "client");
  const text = (name: string): string | null => {
    const value = ownValue(client, name);
    return typeof value === "string" ? value : null;
  };
  if (text("host") === null) return { ...own, pid, started: text("started") };
  return {
    pid,
    started: text("started"),
    boot: text("boot"),
    host: text("host") ?? "",
    machine: text("machine"),
    pidNamespace: text("pid_namespace"),
  };
}
