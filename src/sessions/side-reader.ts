import type { ConversationLog } from "./conversation-log.ts";
import type { Entry } from "./entry.ts";
import { mainStrand, type Strand } from "./ids.ts";
import { knowShown } from "./observations.ts";
import type { Session } from "./session.ts";
import { type PathStep, readPaths, type SessionPaths } from "./session-paths.ts";

/**
 * Returns how many entries two sessions share from their beginning, because one was forked from the other or both from a
 * third, also one that was deleted since.
 *
 * What forks share are the same stored entries, and each session that shares one shares all before it. So the end of it is
 * found by halves, at the cost of a few entries instead of the whole.
 */
export async function countShared(log: ConversationLog, left: Session, right: Session): Promise<number> {
  if (left.forkedFrom === null && right.forkedFrom === null && left.id !== right.id) return 0;
  let [shared, beyond] = [0, Math.min(left.entries, right.entries) + 1];
  while (beyond - shared > 1) {
    const middle = Math.floor((shared + beyond) / 2);
    if (await isShared(log, left, right, middle)) shared = middle;
    else beyond = middle;
  }
  return shared;
}

async function isShared(log: ConversationLog, left: Session, right: Session, seq: number): Promise<boolean> {
  const [one, other] = await Promise.all([readOne(log, left, seq), readOne(log, right, seq)]);
  return one !== undefined && one.session === other?.session && one.id === other.id;
}

/** Returns the entry with a number; undefined where there is none. */
export async function readOne(
  log: ConversationLog,
  { id }: Pick<Session, "id">,
  seq: number,
): Promise<Entry | undefined> {
  if (seq < 1) return undefined;
  for await (const entry of log.read(id, { from: seq, to: seq })) return entry;
  return undefined;
}

/** What is compared: a session, one strand of it, or one path through it. */
export interface SideRequest {
  readonly session: Session;
  readonly strand?: Strand | undefined;
  /** The path that ends with this entry, by number. */
  readonly end?: number | undefined;
}

/** How far a side is shared: the number of the last entry, and how many entries of a path that are. */
interface SharedPlace {
  readonly seq: number;
  readonly steps: number;
}

/** One side of a comparison, ready to be read. */
export interface SideReader {
  readonly request: SideRequest;
  /** The entries of its path from the root on; undefined where the whole is compared. */
  readonly path: readonly PathStep[] | undefined;
  /** Returns the entries after a place. */
  readAfter(place: SharedPlace): Promise<OwnEntries>;
}

/** A stream of entries, and what tells which of them count: what hooks saw does not where the transcript has it. */
export interface OwnEntries {
  readonly entries: AsyncIterator<Entry>;
  readonly counts: (entry: Entry) => boolean;
}

/** Prepares sides for reading. A side that is a path makes the other one a path too: that of its leaf. */
export async function openSides(
  log: ConversationLog,
  left: SideRequest,
  right: SideRequest,
): Promise<readonly [SideReader, SideReader]> {
  if (left.end === undefined && right.end === undefined) return [openWhole(log, left), openWhole(log, right)];
  const known = new Map<string, Promise<SessionPaths>>();
  const pathsOf = ({ session, strand = mainStrand }: SideRequest) => {
    const key = `${session.id}:${strand}`;
    const paths = known.get(key) ?? readPaths(log, session, strand);
    known.set(key, paths);
    return paths;
  };
  return [await openPath(log, left, await pathsOf(left)), await openPath(log, right, await pathsOf(right))];
}

function openWhole(log: ConversationLog, request: SideRequest): SideReader {
  const { session, strand } = request;
  return {
    request,
    path: undefined,
    readAfter: async ({ seq }) => {
      // What comes later is of no concern: the session may be growing.
      const range = { from: seq + 1, to: session.entries, ...(strand && { strand }) };
      const counts = await knowShown(log, session.id, range);
      return { entries: log.read(session.id, range)[Symbol.asyncIterator](), counts };
    },
  };
}

async function openPath(
  log: ConversationLog,
  request: SideRequest,
  paths: SessionPaths,
): Promise<SideReader> {
  const { session, strand = mainStrand } = request;
  const path = paths.pathTo(request.end ?? paths.leaf?.seq);
  return {
    request,
    path,
    readAfter: async ({ steps }) => {
      const own = new Map(path.slice(steps).map((step) => [step.id, step.seq]));
      const from = [...own.values()].reduce((least, seq) => Math.min(least, seq), session.entries + 1);
      const entries = log.read(session.id, { from, to: session.entries, strand });
      return { entries: entries[Symbol.asyncIterator](), counts: ({ id }) => own.has(id) };
    },
  };
}
