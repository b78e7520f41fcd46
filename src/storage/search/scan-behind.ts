import { AppError } from "../../lib/app-error.ts";
import type { Entry } from "../../sessions/entry.ts";
import { observationIn } from "../../sessions/observations.ts";
import type { LeftOut, SearchHit, SearchRequest } from "../../sessions/search-index.ts";
import type { Session } from "../../sessions/session.ts";
import { readLineage } from "../lineage.ts";
import { readStored } from "../session-row.ts";
import type { SqlRunner } from "../sql-driver.ts";
import { type EntryTexts, textsOf } from "./entry-texts.ts";
import { unlessBad } from "./index-entries.ts";
import { type HitLoader, isWanted } from "./load-hits.ts";
import { type Query, valuesOf } from "./parse-query.ts";
import { type Behind, readBehind, readNext, readState } from "./read-behind.ts";
import { foldTool, ToolNames } from "./tool-names.ts";

/** What was found without the index. */
export interface Scanned {
  readonly hits: readonly SearchHit[];
  /** What hooks saw and the transcript has by now: the index may still have it. */
  readonly over: ReadonlySet<string>;
  /** How many entries were read. */
  readonly entries: number;
  readonly leftOut: readonly LeftOut[];
}

interface Scan {
  readonly query: Query;
  readonly request: SearchRequest;
  readonly loader: HitLoader;
  /** Tells whether texts have what is looked for. */
  readonly fits: (texts: readonly string[]) => boolean;
}

/** Reads all that the index has not, entry by entry. */
export async function scanBehind(runner: SqlRunner, scan: Scan): Promise<Scanned> {
  const state = await readState(runner);
  const found = { hits: [] as SearchHit[], over: new Set<string>(), entries: 0, leftOut: [] as LeftOut[] };
  for (let after = -1; ; ) {
    const [behind] = await readBehind(runner, state, 1, after);
    if (behind === undefined) return found;
    after = behind.sessionKey;
    const session = behind.isRecord ? undefined : await findMeant(runner, behind, scan);
    if (session === undefined) continue;
    found.hits.push(...listTitle(session, behind, scan));
    found.entries += await scanSession(runner, behind, found, (entry, texts, tools) => {
      const isHit = fitsFilters(scan.query, texts.kind, tools, entry.at) && scan.fits(texts.texts);
      const hit = isHit ? scan.loader.describe(session, entry) : undefined;
      if (hit !== undefined) found.hits.push(hit);
    });
  }
}

function listTitle(session: Session, { upTo, title }: Behind, scan: Scan): readonly SearchHit[] {
  if (upTo !== null || title === null || !isTitle(scan, title)) return [];
  return [scan.loader.describeTitle(session, title)];
}

function isTitle({ query, fits }: Scan, title: string): boolean {
  const isPlain = valuesOf(query, "tool").length === 0 && isOfRole(query, "title");
  return isPlain && query.before === undefined && query.after === undefined && fits([title]);
}

function isOfRole(query: Query, kind: string): boolean {
  return valuesOf(query, "role").every((each) => each.toLowerCase() === kind);
}

type Look = (entry: Entry, texts: EntryTexts, tools: string) => void;

/** Reads the entries of a session that the index has not; returns how many. */
async function scanSession(
  runner: SqlRunner,
  behind: Behind,
  { over, leftOut }: { readonly over: Set<string>; readonly leftOut: LeftOut[] },
  look: Look,
): Promise<number> {
  const tools = new ToolNames();
  let read = 0;
  for (let from = behind.upTo ?? behind.baseSeq; from < behind.headSeq; ) {
    const { entries, upTo } = await readNext(runner, behind, from, 256);
    for (const entry of entries) over.add(unlessBad(() => observationIn(entry)) ?? "");
    for (const entry of entries) {
      if (over.has(entry.id) || (await lookAt(entry, behind.sessionKey, tools, look))) continue;
      leftOut.push({ session: behind.session, seq: entry.seq });
    }
    read += entries.length;
    from = upTo;
  }
  return read;
}

/** Tells whether an entry could be looked at. */
async function lookAt(entry: Entry, sessionKey: number, tools: ToolNames, look: Look): Promise<boolean> {
  try {
    const found = textsOf(entry);
    if (found !== undefined)
      look(entry, found, (await tools.follow(sessionKey, found, async () => [])) ?? "");
    return true;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return false;
  }
}

function fitsFilters(query: Query, kind: string, tools: string, at: Date): boolean {
  const { before, after } = query;
  return (
    isOfRole(query, kind) &&
    valuesOf(query, "tool").every((each) => tools.includes(` ${foldTool(each)} `)) &&
    (before === undefined || at < before) &&
    (after === undefined || at >= after)
  );
}

/** Returns the session if it is there and one of those that are looked into. */
async function findMeant(
  runner: SqlRunner,
  { session: id, sessionKey }: Behind,
  { query, request }: Scan,
): Promise<Session | undefined> {
  const stored = await readStored(runner, id);
  if (stored === undefined || stored.deletedMs !== null) return undefined;
  const { session } = stored;
  const named = valuesOf(query, "project");
  const isOfProject =
    named.length === 0
      ? request.project === undefined || request.project === session.project
      : named.every((each) => each === session.project || each === session.projectName);
  const isConfined = (request.confinedTo ?? session.project) === session.project;
  if (
    !isOfProject ||
    !isConfined ||
    !isWanted(session, query) ||
    !valuesOf(query, "session").every((each) => id.startsWith(each))
  )
    return undefined;
  return (await isPartOf(runner, sessionKey, request)) ? session : undefined;
}

async function isPartOf(runner: SqlRunner, sessionKey: number, { session }: SearchRequest): Promise<boolean> {
  if (session === undefined) return true;
  const stored = await readStored(runner, session);
  if (stored === undefined) return false;
  return (await readLineage(runner, stored)).some(({ key }) => key === sessionKey);
}
