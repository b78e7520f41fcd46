import { DocumentRecord, type RecordSite } from "../document-record.ts";
import type { OpenHandover } from "../handover-folder.ts";
import { appendEntries } from "./append-decision.ts";
import { inspectDecisions } from "./inspect-decisions.ts";
import { readAllDecisions } from "./read-decisions.ts";
import { type RecordedDecision, restored } from "./recorded-decisions.ts";

/**
 * Appends those decisions to decisions.md again that were written here and are gone, as the log has them, and returns
 * them. Nothing that is in the document is touched.
 */
export async function restoreDecisions(
  site: RecordSite,
  handover: OpenHandover,
): Promise<readonly RecordedDecision[]> {
  const content = (await readAllDecisions(handover.place)) ?? new Uint8Array();
  const { lost } = await inspectDecisions(site, content);
  const texts = lost.flatMap(({ text }) => (text === undefined ? [] : [text]));
  if (texts.length === 0) return [];
  const watermark = await appendEntries(handover, texts);
  await new DocumentRecord(site, "decisions.md").add(restored, {
    watermark: { ...watermark },
    root: site.root,
  });
  return lost.filter(({ text }) => text !== undefined);
}
