import { isObject } from "../lib/field-readers.ts";
import { parseIfJson } from "../lib/parse-if-json.ts";
import type { Replica } from "../sessions/replica.ts";
import type { TakenSession } from "../sessions/take-session.ts";
import { BadImport } from "./bad-import.ts";
import { importExport } from "./carryon/import-export.ts";
import { readDocument } from "./carryon/read-document.ts";
import { parseDocument, readValues } from "./carryon/read-values.ts";
import { type OpenValues, surveyExport } from "./carryon/survey.ts";
import { documentFormat, lineFormat } from "./carryon/wire.ts";
import { isSessionLine, joinSessionLines } from "./claude-master/join-lines.ts";
import { parseSessionState } from "./claude-master/parse-state.ts";
import { type ImportLimits, importLimits } from "./limits.ts";
import { readLines } from "./read-lines.ts";
import { parseReplSession } from "./sexp/parse-session.ts";
import { type ImportSource, readStart, readText } from "./source.ts";
import { type TalkTarget, takeTalk } from "./talk/take-talk.ts";
import type { Talk } from "./talk/talk.ts";

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
