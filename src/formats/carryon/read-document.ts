import { isObject } from "../../lib/field-readers.ts";
import { describeIssue } from "../../sessions/parse-new-entry.ts";
import { BadImport } from "../bad-import.ts";
import type { PlacedValue } from "./read-values.ts";
import { documentSchema, documentSessionSchema, formatVersion, lineFormat } from "./wire.ts";

/** Yields the values of the form that is one document, as those of the form of lines come. */
export function* readDocument(document: unknown): Generator<PlacedValue> {
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
