import { type AppendedDecision, appendDecision } from "../../handover/decisions/append-decision.ts";
import type { Decision, NewDecision } from "../../handover/decisions/decision.ts";
import type { Watermark } from "../../handover/decisions/watermark.ts";
import type { OpenHandover } from "../../handover/handover-folder.ts";
import { DocumentRecord, type RecordedEvent, type RecordSite } from "./document-record.ts";

/** A decision as it is written down in the log. */
export interface RecordedDecision {
  readonly seq: number;
  /** The hash of its lines. */
  readonly digest: string;
  readonly watermark: Watermark;
  /** Whether it is known that it was written; who was killed in between could not say so. */
  readonly isWritten: boolean;
}

export const announced = "deciding";
const written = "decided";

/** What is to be known of a decision beside what it says. */
export interface DecisionFacts {
  /** The commit that was checked out. */
  readonly head?: string | undefined;
}

/**
 * Appends a decision to decisions.md, and writes its hash down in the log.
 *
 * The log comes first and last: an entry that nobody announced came from outside, and one that was announced and is not
 * there was taken away only if it is known to have been written.
 */
export async function decide(
  site: RecordSite,
  handover: OpenHandover,
  draft: NewDecision,
  { head }: DecisionFacts = {},
): Promise<Decision> {
  const record = new DocumentRecord(site, "decisions.md");
  const announce = (planned: AppendedDecision) =>
    record.add(announced, { ...toData(planned), ...(head && { head }) });
  const known = await readWatermark(record);
  const { decision, digest } = await appendDecision(handover, draft, { clock: site.clock, known, announce });
  await record.add(written, { digest });
  return decision;
}

/** The last two notes are of the newest decision. */
async function readWatermark(record: DocumentRecord): Promise<Watermark | undefined> {
  const notes: RecordedEvent[] = [];
  for await (const note of record.read(2)) notes.push(note);
  return notes.findLast(({ event }) => event === announced)?.data.watermark as Watermark | undefined;
}

function toData({ decision: { seq }, digest, watermark }: AppendedDecision) {
  return { seq, digest, watermark: { ...watermark } };
}

/** Returns the decisions that were appended here, in their order. */
export async function readRecorded(site: RecordSite): Promise<readonly RecordedDecision[]> {
  const recorded: RecordedDecision[] = [];
  for await (const { event, data } of new DocumentRecord(site, "decisions.md").read()) {
    const last = recorded.at(-1);
    if (event === announced)
      recorded.push({ ...(data as unknown as Omit<RecordedDecision, "isWritten">), isWritten: false });
    else if (event === written && last !== undefined && last.digest === data.digest)
      recorded[recorded.length - 1] = { ...last, isWritten: true };
  }
  return recorded;
}
