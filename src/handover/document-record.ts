import { lstat } from "node:fs/promises";
import { unlessGone } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { readOnly, writeFailed } from "../lib/file-error.ts";
import { sha256 } from "../sessions/chain.ts";
import type { JsonObject } from "../sessions/entry.ts";
import {
  addToRecord,
  type ProjectRecord,
  type RecordSite,
  readOthersRecords,
  readRecord,
} from "../sessions/project-record.ts";

export type { RecordSite } from "../sessions/project-record.ts";

/**
 * Refuses a document that its owner has made read-only.
 *
 * Asks for the permissions and not whether it can be written: whoever may write the folder can replace it, and so can
 * root.
 */
export async function refuseReadOnly(path: string): Promise<void> {
  const stats = await unlessGone(lstat(path)).catch((error: unknown) => {
    throw writeFailed(path, error);
  });
  if (stats !== undefined && (stats.mode & 0o222) === 0) throw readOnly(path);
}

/** The documents that are written down in the log. */
export type DocumentName = "session.md" | "decisions.md" | "buffer.md";

/** Something that was written down: what happened to the document, when, and what is to be known of it. */
export interface RecordedEvent {
  readonly event: string;
  readonly at: Date;
  readonly data: JsonObject;
}

/** What Carryon has written down of one document of a project. */
export class DocumentRecord {
  readonly #record: ProjectRecord;

  constructor(site: RecordSite, document: DocumentName) {
    const prefix = `handover-${document.replace(/\.md$/, "")}-`;
    this.#record = { site, prefix, title: document };
  }

  /** Writes something down. When it returns, it is on disk. */
  async add(event: string, data: JsonObject): Promise<void> {
    await addToRecord(this.#record, { kind: "event", event, data });
  }

  /** Yields the newest notes, at most so many, oldest first; all of them unless told. */
  async *read(last?: number): AsyncGenerator<RecordedEvent> {
    for await (const entry of readRecord(this.#record, last))
      if (entry.kind === "event") yield { event: entry.event, at: entry.at, data: entry.data };
  }

  /** Returns the newest notes that came from other machines, oldest first. */
  async readOthers(last: number): Promise<readonly (RecordedEvent & { readonly machine: string })[]> {
    const found = await readOthersRecords(this.#record, last);
    return found.flatMap(({ entry, machine }) =>
      entry.kind === "event" ? [{ event: entry.event, at: entry.at, data: entry.data, machine }] : [],
    );
  }

  /** Returns the newest note. */
  async newest(): Promise<RecordedEvent | undefined> {
    const { value } = await this.read(1).next();
    return value ?? undefined;
  }
}

/** Returns the texts of a list that was written down; none where there is no list. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Whose version of a document it is: one that somebody else left there, or one that was written here. */
type VersionEvent = "found" | "written";

/** A version of a document, as the log keeps it. */
export interface Version {
  readonly event: VersionEvent;
  readonly at: Date;
  /** The hash of the text; what is kept of the text itself has no secrets in it. */
  readonly sha256: string;
  readonly text: string;
}

/** How many of the newest versions are looked through for one. */
const within = 200;

/** Somebody whose text was found in a document. */
export type Outside = { readonly author: string | null };

/** Returns whose text a version of this user was carried forward from, if it was from somebody else's. */
export function carriedBy(note: RecordedEvent | undefined): Outside | undefined {
  return note?.data.carries as Outside | undefined;
}

/** Tells whether a version has nobody's words but this user's. */
export function isOwn({ data: { outside, carries } }: RecordedEvent): boolean {
  return outside === undefined && carries === undefined;
}

/** Tells whether a note of the log is of a version. */
export function isVersion(note: RecordedEvent): boolean {
  return toVersion(note) !== undefined;
}

/** Returns the newest of the versions, among so many of the last, that a condition holds for. */
export async function findVersion(
  record: DocumentRecord,
  isWanted: (note: RecordedEvent) => boolean,
): Promise<RecordedEvent | undefined> {
  let found: RecordedEvent | undefined;
  for await (const note of record.read(within)) if (isVersion(note) && isWanted(note)) found = note;
  return found;
}

/** Returns what is known of a text. Most often it is the newest; after a checkout it may be an older one. */
export async function findText(record: DocumentRecord, text: string): Promise<RecordedEvent | undefined> {
  const newest = await record.newest();
  if (isNewest(newest, text)) return newest;
  const hash = sha256(text);
  return findVersion(record, ({ data }) => data.sha256 === hash);
}

/**
 * Tells whether a version was to be written in a folder where the document is another one: its writer was killed between
 * the log and the document, or somebody has changed the document since.
 */
export function isUnwritten(
  { event, data }: RecordedEvent,
  { root, text }: { readonly root: string; readonly text: string | undefined },
): boolean {
  const isHere = data.root === undefined || data.root === root;
  return event === "written" && isHere && (text === undefined || data.sha256 !== sha256(text));
}

/** Reads a note of the log as a version; undefined for one that is none. */
function toVersion({ event, at, data: { sha256, text } }: RecordedEvent): Version | undefined {
  if (event !== "found" && event !== "written") return undefined;
  return typeof sha256 === "string" && typeof text === "string" ? { event, at, sha256, text } : undefined;
}

/** What a document says now and is to say, and what is to be known of the new version. */
interface Replacement {
  readonly path: string;
  readonly previous: string | undefined;
  /** Who wrote what it says now, if it was not written here. */
  readonly outside?: Outside | undefined;
  readonly text: string;
  readonly facts?: JsonObject;
}

/**
 * Writes a version of a document. It is in the log before it is on disk, as is the one whose place it takes; so none
 * is ever lost. One that its owner has made read-only is refused.
 */
export async function replaceDocument(record: DocumentRecord, replacement: Replacement): Promise<void> {
  await refuseReadOnly(replacement.path);
  await keepVersions(record, replacement);
  await writeFileAtomically(replacement.path, replacement.text);
}

/** Writes down in the log what a document says, unless it is known, and what it is about to say. */
export async function keepVersions(
  record: DocumentRecord,
  { previous, outside, text, facts = {} }: Omit<Replacement, "path">,
): Promise<void> {
  const event: VersionEvent = text === previous ? "found" : "written";
  if (event === "written") await keepFound(record, previous, outside);
  await record.add(event, { ...facts, sha256: sha256(text), text });
}

/** Tells whether a note is of the version that a document has. */
function isNewest(note: RecordedEvent | undefined, text: string | undefined): boolean {
  return note !== undefined && text !== undefined && note.data.sha256 === sha256(text);
}

/** Returns the versions of a document, oldest first, each once in a row. */
export async function readVersions(record: DocumentRecord): Promise<readonly Version[]> {
  const versions: Version[] = [];
  for await (const note of record.read()) {
    const version = toVersion(note);
    if (version !== undefined && version.sha256 !== versions.at(-1)?.sha256) versions.push(version);
  }
  return versions;
}

/** Writes down in the log what a document says, unless it is the newest version that is known. */
async function keepFound(
  record: DocumentRecord,
  text: string | undefined,
  outside: Outside | undefined,
): Promise<void> {
  if (text === undefined) return;
  const newest = await record.newest();
  if (isNewest(newest, text)) return;
  await record.add("found", { ...factsOf(newest), ...(outside && { outside }), sha256: sha256(text), text });
}

/** Returns what is known of a document beside its text; a version that was found changes nothing of it. */
function factsOf(note: RecordedEvent | undefined): JsonObject {
  const { sha256: _sha256, text: _text, ...facts } = note?.data ?? {};
  return facts;
}
