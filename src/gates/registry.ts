import { basename, dirname, join, resolve } from "node:path";
import { AppError } from "../lib/app-error.ts";
import type { Clock } from "../lib/clock.ts";
import { isAlive, type Liveness, processFacts, readOwnIdentity } from "../lib/process-identity.ts";
import { isJsonObject, type JsonObject, ownObject, ownValue } from "./json-object.ts";
import { describeContent, partProblem } from "./read-gate-state.ts";
import {
  chooseSessionKey,
  clientOf,
  type ListedSession,
  normalizeSessionId,
  parseEntry,
  type RegisteredSession,
  renderEntry,
} from "./session-key.ts";
import { changeFile } from "./state/change-file.ts";
import { type FoundFile, readContent } from "./state/file-content.ts";
import type { SessionKey } from "./state/gate-state.ts";
import { type FileProblem, toProblem } from "./state/problem.ts";

/** What follows while the registry says nothing. */
const unlisted = "No session is known to live meanwhile, and commands need --session.";

/** Where the registry is: `~/.claude/sessions.json` for Claude Code. */
export interface RegistryPlace {
  readonly path: string;
  readonly clock: Clock;
  /** How many milliseconds a change waits for others: 10,000, unless told. */
  readonly wait?: number;
}

/** What a registry holds, and what is wrong with its file. */
export interface RegistryReading {
  readonly sessions: readonly ListedSession[];
  readonly problems: readonly FileProblem[];
}

/** What became of a registry that was to be changed. */
export interface ChangedRegistry extends RegistryReading {
  /** The key of the session that it was about; undefined when there is none. */
  readonly key: SessionKey | undefined;
  /** Why nothing was changed; absent when what was asked for is on the disk. */
  readonly failure?: AppError;
}

/** A session that begins. */
export interface NewSession {
  readonly id: string;
  readonly pid: number;
  /** The process of the client that runs it. */
  readonly ppid: number;
  readonly projectDir: string;
  readonly branch: string | null;
}

/** Returns where the registry is, in the user's folder of the client. */
export function locateRegistry(clientFolder: string): string {
  return join(clientFolder, "sessions.json");
}

/** Lists the sessions of a registry, with those whose clients are gone. */
export async function listSessions({ path }: Pick<RegistryPlace, "path">): Promise<RegistryReading> {
  const { entries, problems } = openRegistry(findRegistry(path));
  return { sessions: await describeEntries(entries), problems };
}

/** Registers a session, or registers it anew: it keeps when it started, and what other tools have noted. */
export function registerSession(place: RegistryPlace, session: NewSession): Promise<ChangedRegistry> {
  const { id, ...facts } = session;
  return changeRegistry(place, id, async (key, before, now) => {
    const known = before === undefined ? undefined : parseEntry(key, before);
    const startedAt = (typeof known === "object" ? known.startedAt : null) ?? now;
    const entry: RegisteredSession = { key, fullId: id, ...facts, startedAt, lastActive: now };
    const started = await processFacts().readStart(session.ppid);
    const client = { ...(await readOwnIdentity()), pid: session.ppid, started };
    return renderEntry(entry, client, before ?? {});
  });
}

/** Takes a session out of the registry. */
export function unregisterSession(place: RegistryPlace, id: string): Promise<ChangedRegistry> {
  return changeRegistry(place, id, async () => undefined);
}

type EntryChange = (
  key: SessionKey,
  before: JsonObject | undefined,
  now: Date,
) => Promise<JsonObject | undefined>;

/** Changes the entry of a session while nobody else of us does, and drops those whose clients are certainly gone. */
async function changeRegistry(
  place: RegistryPlace,
  id: string,
  change: EntryChange,
): Promise<ChangedRegistry> {
  const { path, clock } = place;
  let key: SessionKey | undefined;
  try {
    const folder = dirname(path);
    const { result } = await changeFile(
      { ...place, folder, lock: basename(path) },
      () => findRegistry(path),
      async (file) => {
        const { entries, problems, value } = openRegistry(file);
        key = chooseSessionKey(id, (each) => ownersOf(entries, each));
        const sessions = await withoutDead(entries);
        const after = key && (await change(key, sessions.get(key), clock.now()));
        if (key !== undefined && after === undefined) sessions.delete(key);
        if (key !== undefined && after !== undefined) sessions.set(key, after);
        const result = { sessions, problems };
        const isLossy = problems.length > 0 && file.content.type === "document";
        const rest = { version: "1.0", ...value };
        const text = `${JSON.stringify({ ...rest, sessions: Object.fromEntries(sessions) }, undefined, 2)}\n`;
        return isSame(entries, sessions) ? { result, isLossy: false } : { result, isLossy, text };
      },
    );
    return { key, sessions: await describeEntries(result.sessions), problems: result.problems };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { sessions, problems } = await listSessions(place);
    return { key, sessions, problems: [...problems, toProblem(path, error)], failure: error };
  }
}

type Entries = ReadonlyMap<string, JsonObject>;

function findRegistry(path: string): FoundFile {
  return { path, content: readContent(path), looked: [] };
}

interface OpenedRegistry {
  readonly entries: Entries;
  readonly problems: readonly FileProblem[];
  readonly value: JsonObject;
}

/** Returns the entries of a registry; those that are wrong are left out and told. */
function openRegistry({ path, content }: FoundFile): OpenedRegistry {
  if (content.type !== "document") {
    return { entries: new Map(), problems: describeContent(path, content, unlisted), value: {} };
  }
  const { value } = content;
  const sessions = ownValue(value, "sessions") ?? {};
  const problems: string[] = isJsonObject(sessions) ? [] : ["sessions is not an object"];
  const entries = new Map<string, JsonObject>();
  for (const [key, entry] of Object.entries(ownObject(value, "sessions"))) {
    const parsed = parseEntry(key, entry);
    if (typeof parsed === "string") problems.push(`sessions.${key.slice(0, 60)} ${parsed}`);
    else entries.set(key, entry as JsonObject);
  }
  return { entries, problems: problems.map((problem) => partProblem(path, problem)), value };
}

function ownersOf(entries: Entries, key: SessionKey): ReadonlySet<string> {
  const owner = entries.get(key)?.full_id;
  return new Set(typeof owner === "string" ? [owner] : []);
}

async function withoutDead(entries: Entries): Promise<Map<string, JsonObject>> {
  const livenessOf = await startAsking();
  const living = new Map<string, JsonObject>();
  for (const [key, entry] of entries) {
    if ((await livenessOf(entry)) !== "gone") living.set(key, entry);
  }
  return living;
}

async function describeEntries(entries: Entries): Promise<readonly ListedSession[]> {
  const livenessOf = await startAsking();
  const listed: ListedSession[] = [];
  for (const [key, entry] of entries) {
    const parsed = parseEntry(key, entry);
    if (typeof parsed === "string") continue;
    listed.push({ ...parsed, liveness: await livenessOf(entry) });
  }
  return listed;
}

/** Returns what tells whether the client of an entry runs, and asks the system once for each client. */
async function startAsking(): Promise<(entry: JsonObject) => Promise<Liveness>> {
  const own = await readOwnIdentity();
  const known = new Map<string, Promise<Liveness>>();
  return (entry) => {
    const client = clientOf(entry, own);
    const name = JSON.stringify(client);
    const liveness = known.get(name) ?? isAlive(client);
    known.set(name, liveness);
    return liveness;
  };
}

function isSame(one: Entries, other: Entries): boolean {
  return JSON.stringify([...one]) === JSON.stringify([...other]);
}

/** Where a session works. */
interface SessionPlace {
  /** The id of the session as its client says it. */
  readonly session: string;
  readonly project: string;
  readonly branch: string;
}

/** Returns the keys of the other sessions that live on the same project and branch. */
export async function findOthers(registry: string, place: SessionPlace): Promise<readonly string[]> {
  const { sessions } = await listSessions({ path: registry });
  const own = normalizeSessionId(place.session);
  return sessions
    .filter(({ liveness, branch, projectDir }) => {
      return (
        liveness === "alive" && branch === place.branch && resolve(projectDir) === resolve(place.project)
      );
    })
    .filter(({ key, fullId }) => (fullId === null ? key !== own : fullId !== place.session))
    .map(({ key }) => key);
}
