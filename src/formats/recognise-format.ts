import { isObject } from "../lib/field-readers.ts";
import { parseIfJson } from "../lib/parse-if-json.ts";
import { BadImport } from "./bad-import.ts";
import { documentFormat, lineFormat } from "./carryon/wire.ts";
import { isSessionLine } from "./claude-master/join-lines.ts";
import { type ImportSource, readStart } from "./source.ts";

/** How the content of a file is read: line by line, as lines of claude-master, as one JSON document, or as a form of Lisp. */
export type Reading = "lines" | "session-lines" | "document" | "sexp";

const startBytes = 65_536;

/** Tells by its first bytes how a file is to be read; throws `BadImport` for what is surely no export. */
export async function recogniseReading(source: ImportSource): Promise<Reading> {
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
export type DocumentFormat = "json" | "claude-master";

/** Tells by its fields which format a document has. */
export function recogniseDocument(document: unknown): DocumentFormat {
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
