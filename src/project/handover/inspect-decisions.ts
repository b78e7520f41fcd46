import { digestOf } from "../../handover/decisions/digest.ts";
import { parseDecisions } from "../../handover/decisions/parse-decisions.ts";
import { compareBytes, compareEntries, type EntryChanges } from "../../handover/decisions/watermark.ts";
import { type RecordedDecision, readRecorded } from "./decide.ts";
import type { RecordSite } from "./document-record.ts";

/** What has happened to decisions.md beside what was appended to it here. */
export interface DecisionsReport extends EntryChanges {
  /** Whether its bytes are those that were written here, up to what was added since. */
  readonly isIntact: boolean;
}

/** Compares decisions.md with what the log knows of it: nothing where there is no site. */
export async function inspectDecisions(
  site: RecordSite | undefined,
  content: Uint8Array,
): Promise<DecisionsReport> {
  const text = new TextDecoder().decode(content);
  const found = new Set(parseDecisions(text).decisions.map(({ raw }) => digestOf(raw)));
  const isThere = ({ isWritten, digest }: RecordedDecision) => isWritten || found.has(digest);
  const recorded = site === undefined ? [] : (await readRecorded(site)).filter(isThere);
  const bytes = compareBytes(
    content,
    recorded.map(({ watermark }) => watermark),
  );
  return { isIntact: bytes.type === "intact", ...compareEntries(text, recorded) };
}
