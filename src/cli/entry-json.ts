import type { Entry } from "../sessions/entry.ts";

/**
 * Returns an entry in the form that every `--json` uses: docs/formats/cli-json.md.
 *
 * What is its own follows what all entries have; `append` takes the same form back.
 */
export function toEntryJson(entry: Entry): object {
  const { seq, id, parent, strand, kind, at, session, ...content } = entry;
  return { seq, id, parent, strand, kind, at: at.toISOString(), session, ...content };
}
