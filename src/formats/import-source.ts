import { isObject } from "../lib/field-readers.ts";
import { parseIfJson } from "../lib/json.ts";
import { BrokenStretch } from "../sessions/errors.ts";
import { describeIssue } from "../sessions/parse-new-entry.ts";
import type { LinkedEntry, Replica } from "../sessions/replica.ts";
import { type TakenSession, takeSession } from "../sessions/take-session.ts";
import { BadImport } from "./bad-import.ts";
import {
  type ExportRecord,
  type OpenValues,
  RecordFollower,
  type Survey,
  surveyExport,
} from "./carryon/follow-records.ts";
import { type PlacedValue, parseDocument, readValues } from "./carryon/parse-entry.ts";
import {
  documentFormat,
  documentSchema,
  documentSessionSchema,
  formatVersion,
  lineFormat,
} from "./carryon/wire.ts";
import { isSessionLine, joinSessionLines } from "./claude-master/join-lines.ts";
import { parseSessionState } from "./claude-master/parse-state.ts";
import { type ImportLimits, importLimits } from "./limits.ts";
import { parseReplSession } from "./sexp/parse-session.ts";
import { type ImportSource, readLines, readStart, readText } from "./source.ts";
import { type Talk, type TalkTarget, takeTalk } from "./talk/take-talk.ts";

/** Where sessions go. */
export interface ImportTarget {
  readonly replica: Replica;
  /** Returns where a session goes that names no project: one in the format claude-master or sexp. */
  readonly talkTarget: () => Promise<TalkTarget>;
}

export interface ImportOptions {
  readonly now: Date;
  /** What a bad file is worth: nothing, unless the whole lines before the bad one are wanted. */
  readonly whenBad?: "refuse" | "keep-whole-lines";
  readonly limits?: ImportLimits;
}

export interface Imported {
  readonly format: "carryon" | "json" | "claude-master" | "sexp";
  readonly sessions: readonly TakenSession[];
  /** What ended the reading, where only the whole lines before it were kept. */
  readonly problem: BadImport | undefined;
}

/** Imports a source, all of it or nothing; throws `BadImport` with the line of what is wrong. Importing twice adds nothing. */
export async function importSource(
  source: ImportSource,
  target: ImportTarget,
  options: ImportOptions,
): Promise<Imported> {
  const limits = options.limits ?? importLimits;
  const reading = await recogniseReading(source);
  if (reading === "lines")
    return importValues("carryon", (how) => readValues(source.open(), limits, how), target, options);
  if (reading === "session-lines") return importSessionLines(source, target, { ...options, limits });
  const text = await readText(source, limits.documentBytes);
  if (reading === "sexp") return importTalk("sexp", parseReplSession(text), target);
  const document = parseDocument(text);
  if (recogniseDocument(document) === "claude-master")
    return importTalk("claude-master", parseSessionState(document), target);
  return importValues("json", () => readDocument(document), target, options);
}

async function importValues(
  format: "carryon" | "json",
  open: OpenValues,
  { replica }: ImportTarget,
  { now, whenBad = "refuse" }: ImportOptions,
): Promise<Imported> {
  const survey = await surveyExport(open);
  const { problem } = survey;
  if (problem !== undefined && whenBad === "refuse") throw problem;
  if (problem !== undefined && survey.sessions.length === 0) throw nothingBefore(problem);
  return { format, sessions: await importExport(replica, open, survey, now), problem };
}

function nothingBefore(problem: BadImport): BadImport {
  const hint = "No whole entry comes before it that could be kept. Export it again.";
  return new BadImport(problem.where, problem.reason, { cause: problem, hint });
}

async function importSessionLines(
  source: ImportSource,
  target: ImportTarget,
  { limits, whenBad = "refuse" }: ImportOptions & { readonly limits: ImportLimits },
): Promise<Imported> {
  const { document, problem } = await joinSessionLines(readLines(source.open(), limits));
  if (problem !== undefined && whenBad === "refuse") throw problem;
  if (problem !== undefined && document === undefined) throw nothingBefore(problem);
  if (document === undefined)
    throw new BadImport(undefined, "none of its lines tells which session of claude-master it is");
  return { ...(await importTalk("claude-master", parseSessionState(document), target)), problem };
}

async function importTalk(
  format: "claude-master" | "sexp",
  talk: Talk,
  { talkTarget }: ImportTarget,
): Promise<Imported> {
  return { format, sessions: [await takeTalk(await talkTarget(), talk)], problem: undefined };
}

/** How the content of a file is read: line by line, as lines of claude-master, as one JSON document, or as a form of Lisp. */
type Reading = "lines" | "session-lines" | "document" | "sexp";

const startBytes = 65_536;

/** Tells by its first bytes how a file is to be read; throws `BadImport` for what is surely no export. */
async function recogniseReading(source: ImportSource): Promise<Reading> {
  const bytes = await readStart(source, startBytes);
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new BadImport(undefined, "it is compressed with gzip", { hint: "Unpack it first." });
  const start = Buffer.from(bytes)
    .toString("utf8")
    .replace(/^\uFEFF/, "")
    .trimStart();
  if (start === "")
    throw new BadImport(undefined, "it is empty", { hint: "Choose another file, or export it again." });
  if (start.startsWith("(") || start.startsWith(";")) return "sexp";
  const [line = ""] = start.split("\n", 1);
  const value = parseIfJson(line);
  if (isObject(value) && value.format === lineFormat) return "lines";
  // A header that was cut off is still one.
  if (line.startsWith(`{"format":"${lineFormat}"`)) return "lines";
  if (isSessionLine(line)) return "session-lines";
  if (start.startsWith("{")) return "document";
  throw unknownFormat();
}

/** The formats that are one JSON document. */
type DocumentFormat = "json" | "claude-master";

/** Tells by its fields which format a document has. */
function recogniseDocument(document: unknown): DocumentFormat {
  if (isObject(document)) {
    if (document.format === documentFormat) return "json";
    if (typeof document.sessionId === "string" && Object.hasOwn(document, "instructor"))
      return "claude-master";
  }
  throw unknownFormat();
}

function unknownFormat(): BadImport {
  return new BadImport(undefined, "it is no export that Carryon knows", {
    hint: "The formats carryon, json, claude-master and sexp can be imported; md and html are only to read.",
  });
}

/** Yields the values of the form that is one document, as those of the form of lines come. */
function* readDocument(document: unknown): Generator<PlacedValue> {
  if (isObject(document) && typeof document.version === "number" && document.version > formatVersion)
    throw new BadImport(undefined, `it was written by a newer Carryon (version ${document.version})`, {
      hint: "Update Carryon here first.",
    });
  const parsed = documentSchema.safeParse(document);
  if (!parsed.success) throw new BadImport(undefined, describeIssue(parsed.error));
  const { exportedAt, machine, sessions } = parsed.data;
  for (const [index, value] of sessions.entries()) {
    const where = `Session ${index + 1}`;
    const one = documentSessionSchema.safeParse(value);
    if (!one.success) throw new BadImport(where, describeIssue(one.error));
    const { session, entries, head } = one.data;
    const part = { number: index + 1, of: sessions.length };
    const header = { format: lineFormat, version: formatVersion, exportedAt, machine, part, session };
    yield { where, value: header };
    // What stands in the document itself, not the copy that the schema makes: that leaves out keys such as __proto__.
    for (const [at, entry] of listEntries(value).entries())
      yield { where: `${where}, entry ${at + 1}`, value: entry };
    yield { where: `${where}, end`, value: { head, entries: entries.length } };
  }
}

function listEntries(session: unknown): readonly unknown[] {
  return isObject(session) && Array.isArray(session.entries) ? session.entries : [];
}

/** Takes the sessions of a surveyed export in, all or none. */
async function importExport(
  replica: Replica,
  open: OpenValues,
  { sessions }: Survey,
  now: Date,
): Promise<readonly TakenSession[]> {
  const cursor = new EntryCursor(open);
  try {
    return await replica.receive(async (intake) => {
      const taken: TakenSession[] = [];
      for (const [number, { session, machine }] of sessions.entries()) {
        const entries = () => cursor.entries(number, session.entries);
        const taking = takeSession(intake, { session, machine, entries }, now);
        taken.push(await taking.catch((error: unknown) => explain(error, open, number)));
      }
      return taken;
    });
  } finally {
    await cursor.close();
  }
}

/** Says where in the file an entry stands that only the store could refuse: an id that comes twice, a parent that is missing. */
async function explain(error: unknown, open: OpenValues, number: number): Promise<never> {
  if (!(error instanceof BrokenStretch)) throw error;
  const follower = new RecordFollower("envelope");
  let ended = 0;
  for await (const value of open("envelope")) {
    const record = follower.take(value);
    if (record.type === "end") ended += 1;
    if (ended === number && record.type === "entry" && record.entry.seq === error.seq)
      throw new BadImport(value.where, error.reason, { cause: error });
  }
  throw error;
}

const batchSize = 200;

/** Reads the entries of the sessions of an export, mostly one session after another; what is asked for again begins anew. */
class EntryCursor {
  readonly #open: OpenValues;
  #records: AsyncGenerator<ExportRecord> | undefined;
  /** The number of the session that begins next in the stream. */
  #next = 0;

  constructor(open: OpenValues) {
    this.#open = open;
  }

  /** Streams the first entries of a session by its number, from 0 on. */
  async *entries(number: number, count: number): AsyncGenerator<readonly LinkedEntry[]> {
    const records = await this.#findSession(number);
    let batch: LinkedEntry[] = [];
    for (let left = count; left > 0; left -= 1) {
      const { value: record } = await records.next();
      if (record?.type !== "entry") break;
      batch.push(record.entry);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  /** Gives the file back. */
  async close(): Promise<void> {
    await this.#records?.return(undefined);
    this.#records = undefined;
    this.#next = 0;
  }

  async #findSession(number: number): Promise<AsyncGenerator<ExportRecord>> {
    if (number < this.#next) await this.close();
    this.#records ??= readRecords(this.#open);
    for (;;) {
      const { value: record, done } = await this.#records.next();
      if (done) return this.#records;
      if (record.type !== "begin") continue;
      this.#next += 1;
      if (this.#next > number) return this.#records;
    }
  }
}

/** What entries say was checked when the file was surveyed; their hashes prove that they are the same. */
async function* readRecords(open: OpenValues): AsyncGenerator<ExportRecord> {
  const follower = new RecordFollower("envelope");
  for await (const value of open("envelope")) yield follower.take(value);
}
