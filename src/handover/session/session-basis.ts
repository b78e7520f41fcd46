import { lstat } from "node:fs/promises";
import { holdsContent, readCommitted } from "../../git/git-content.ts";
import { type GitFacts, isMerging } from "../../git/git-facts.ts";
import { readAuthorship } from "../../git/git-history.ts";
import { unlessGone } from "../../lib/app-error.ts";
import { readDocument } from "../../lib/markdown/read-document.ts";
import {
  carriedBy,
  type DocumentRecord,
  findText,
  findVersion,
  isOwn,
  type Outside,
  type RecordedEvent,
  textsOf,
} from "../document-record.ts";

/** What a document says, and what is known of it. */
export interface KnownText {
  readonly text: string;
  /** What the log knows of it; undefined for one that was not written by Carryon here. */
  readonly note: RecordedEvent | undefined;
  /** Who wrote it, unless it is this user's. */
  readonly outside: Outside | undefined;
  readonly at: Date | undefined;
  /** The commit that was checked out when it was written. */
  readonly head: string | undefined;
  /** The folder that it was written in, where that is known. */
  readonly root?: string | undefined;
  /** The changed files that were not there then. */
  readonly gone: readonly string[];
}

/** Reads a document, and finds out whether it is this user's: nothing is where there is no record. */
export async function readKnown(
  record: DocumentRecord | undefined,
  { root, path, git }: { readonly root: string; readonly path: string; readonly git: GitFacts | undefined },
): Promise<KnownText | undefined> {
  const text = await readDocument(root, path);
  if (text === undefined) return undefined;
  const note = record && (await findText(record, text));
  if (note !== undefined && note.data.outside === undefined) return fromNote(text, note);
  const stats = await unlessGone(lstat(path));
  const edited = record && note === undefined ? await findEdited(record, { root, path, git }) : undefined;
  if (edited !== undefined)
    return { text, note: undefined, outside: undefined, at: stats?.mtime, ...momentOf(edited) };
  const authorship = git && (await readAuthorship(root, path));
  return {
    ...{ text, note, gone: [] },
    outside: { author: authorship?.author ?? null },
    at: authorship?.at ?? stats?.mtime,
    head: authorship?.commit,
  };
}

/** Returns somebody else whose words a text has, be it that they wrote it or that it was carried forward from theirs. */
export function strangerIn({ outside, note }: KnownText): Outside | undefined {
  return outside ?? carriedBy(note);
}

/**
 * Returns what a session goes on from: what the document says, or its own version while a draft of another session
 * stands there.
 */
export async function chooseBasis(
  record: DocumentRecord,
  found: KnownText | undefined,
  session: string | undefined,
): Promise<KnownText | undefined> {
  const by = found?.note?.data.by;
  const isOfAnother = found?.outside === undefined && typeof by === "string" && by !== session;
  if (session === undefined || !isOfAnother || found?.note?.data.polished === true) return found;
  const own = await findVersion(record, ({ data }) => data.by === session);
  return typeof own?.data.text === "string" ? fromNote(own.data.text, own) : found;
}

/** How many of the newest notes of each other machine are looked through for a version. */
const notesToSearch = 20;

/** Returns the newest version that came from another machine: it tells of the work where the document is not. */
export async function findElsewhere(record: DocumentRecord): Promise<KnownText | undefined> {
  const notes = await record.readOthers(notesToSearch);
  const newest = notes.findLast(({ event, data }) => event === "written" && typeof data.text === "string");
  if (newest === undefined || typeof newest.data.text !== "string") return undefined;
  const { data, at, machine } = newest;
  return {
    text: newest.data.text,
    note: undefined,
    outside: { author: machine },
    at,
    ...momentOf({ event: "", at, data }),
  };
}

/** Returns what is known of a text of this user by its note. */
export function fromNote(text: string, note: RecordedEvent): KnownText {
  return { text, note, outside: undefined, at: note.at, ...momentOf(note) };
}

function momentOf({ data: { root, head, gone } }: RecordedEvent): Pick<KnownText, "root" | "head" | "gone"> {
  return {
    root: typeof root === "string" ? root : undefined,
    head: typeof head === "string" ? head : undefined,
    gone: textsOf(gone),
  };
}

/** Where a document is. */
interface EditedPlace {
  readonly root: string;
  readonly path: string;
  readonly git: GitFacts | undefined;
}

/**
 * Returns the version of this user that a document was before a hand changed it; undefined if the text may be somebody
 * else's.
 *
 * What others wrote comes into a work tree through git, which then holds it. So a text that neither git nor the log
 * holds is this user's edit of what was there: of what is checked out, or of the newest version where git does not have
 * the document.
 */
async function findEdited(
  record: DocumentRecord,
  { root, path, git }: EditedPlace,
): Promise<RecordedEvent | undefined> {
  const base = git === undefined ? await record.newest() : await findBase(record, root, path);
  return base !== undefined && isOwn(base) ? base : undefined;
}

async function findBase(
  record: DocumentRecord,
  root: string,
  path: string,
): Promise<RecordedEvent | undefined> {
  const [isHeld, isUnfinished] = await Promise.all([holdsContent(root, path), isMerging(root)]);
  // A hand that resolves a conflict keeps lines of others.
  if (isHeld || isUnfinished) return undefined;
  const committed = await readCommitted(root, path);
  switch (committed.type) {
    case "none":
      return record.newest();
    case "text":
      return findText(record, committed.text);
    case "unreadable":
      return undefined;
  }
}
