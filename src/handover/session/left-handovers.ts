import { DocumentRecord, isOwn, isVersion, type RecordedEvent, type RecordSite } from "../document-record.ts";
import { type LoggedDecision, readLogged } from "../logged-decisions.ts";
import { isStartOf } from "./collect-facts.ts";

/** What a session left in session.md and nobody has taken up: no session that began after it has handed over since. */
export interface LeftHandover {
  /** The session; undefined for what somebody wrote in none. */
  readonly by: string | undefined;
  readonly note: RecordedEvent;
  readonly text: string;
  /** The folder of the project that it was written in, where that is known. */
  readonly root: string | undefined;
}

/** How many of the newest versions are looked through. */
const within = 200;

/** Which versions count. */
interface LeftQuery {
  /** Whether the user trusts the project: only then counts what has words of others. */
  readonly isTrusted: boolean;
  /** Only what was written in this folder, or nobody knows where. */
  readonly root?: string;
}

/**
 * Returns what sessions left in session.md and nobody has taken up, the newest first.
 *
 * Sessions that are at work at once each go on from their own version, and the file has the one that was written last.
 * What another left is not in it, and whoever begins next must be told of both. Their order is that of the log and of
 * the decisions' numbers: two moments can be the same.
 */
export async function findLeft(
  site: RecordSite,
  { isTrusted, root }: LeftQuery,
): Promise<readonly LeftHandover[]> {
  const versions: LeftHandover[] = [];
  for await (const note of new DocumentRecord(site, "session.md").read(within)) {
    const version = toHandover(note);
    if (version === undefined || (!isOwn(note) && !isTrusted)) continue;
    if (root === undefined || version.root === undefined || version.root === root) versions.push(version);
  }
  return findUntaken(versions, versions.length < 2 ? [] : await readLogged(site)).toReversed();
}

function toHandover(note: RecordedEvent): LeftHandover | undefined {
  const { by, text, root, outside } = note.data;
  if (!isVersion(note) || typeof text !== "string" || outside !== undefined) return undefined;
  return {
    ...{ note, text },
    by: typeof by === "string" ? by : undefined,
    root: typeof root === "string" ? root : undefined,
  };
}

/** Returns the last version of each session of which none knew that has written since, in their order. */
function findUntaken(
  versions: readonly LeftHandover[],
  decisions: readonly LoggedDecision[],
): readonly LeftHandover[] {
  const first = new Map<string | undefined, number>();
  const last = new Map<string | undefined, number>();
  for (const [at, { by }] of versions.entries()) {
    if (!first.has(by)) first.set(by, at);
    last.set(by, at);
  }
  return versions.filter((version, at) => {
    if (last.get(version.by) !== at) return false;
    const next = versions[at + 1];
    if (next === undefined) return true;
    // Who writes in no session has the file before them, and what was written in none is gone on from by everybody.
    if (version.by === undefined || next.by === undefined) return false;
    return [...last].every(
      ([by, end]) => by === undefined || end <= at || !knewOf(by, version, first.get(by) ?? 0, at),
    );
  });

  /** Tells whether a session had not begun when a version was written: it was told of it at its beginning. */
  function knewOf(by: string, { note }: LeftHandover, begun: number, at: number): boolean {
    const start = decisions.find((each) => isStartOf(each, by));
    // Of one whose beginning nobody wrote down, it is only known that it had begun at its first version.
    if (start === undefined) return begun > at;
    const { decided } = note.data;
    return typeof decided === "number" ? start.seq > decided : Date.parse(start.at) > note.at.getTime();
  }
}
