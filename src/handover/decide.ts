import { type Decision, type NewDecision, toDecisionText } from "./decision.ts";
import { type AppendedDecision, appendDecision } from "./decisions/append-decision.ts";
import { decisionReferences } from "./decisions/decision-references.ts";
import { findDisputed } from "./decisions/inspect-decisions.ts";
import { readAllDecisions } from "./decisions/read-decisions.ts";
import { announced, notesToSearch, stampsIn, written } from "./decisions/recorded-decisions.ts";
import type { Watermark } from "./decisions/watermark.ts";
import { DocumentRecord, type RecordedEvent, type RecordSite } from "./document-record.ts";
import type { OpenHandover } from "./handover-folder.ts";
import { readHighestElsewhere } from "./logged-decisions.ts";
import { readSteering } from "./pipeline/read-pipeline.ts";

/** What is to be known of a decision beside what it says. */
export interface DecisionFacts {
  /** The commit that was checked out. */
  readonly head?: string | undefined;
  /** The stamp of decisions.md when it was last examined and found to be nothing but what was appended here. */
  readonly examined?: string | undefined;
}

/**
 * Appends a decision to decisions.md, and writes it down in the log, with its hash.
 *
 * The log comes first and last: an entry that nobody announced came from outside, and one that was announced and is not
 * there was taken away only if it is known to have been written. No number is given twice in a project, wherever its
 * documents are, and whatever became of them; what was decided on another machine counts from the next pull on.
 */
export async function decide(
  site: RecordSite,
  handover: OpenHandover,
  draft: NewDecision,
  { head, examined }: DecisionFacts = {},
): Promise<Decision> {
  const record = new DocumentRecord(site, "decisions.md");
  const hasSteering = draft.type === "STEERING_UPDATE" || draft.type === "SESSION_START";
  const steering = hasSteering ? await readSteering(handover.place) : {};
  const explains = await findExplained(site, handover, draft);
  const announce = ({ decision: { seq }, raw, digest, watermark }: AppendedDecision) =>
    record.add(announced, {
      ...{ seq, digest, watermark: { ...watermark }, text: raw, root: site.root },
      ...(known.isWhole(watermark) && { whole: true }),
      ...(head && { head }),
      ...(hasSteering && { steering: { ...steering } }),
      ...(explains.length > 0 && { explains }),
    });
  const known = await readBefore(record, site.root);
  const { decision, digest, before, after } = await appendDecision(handover, draft, {
    clock: site.clock,
    ...known,
    announce,
  });
  const isExamined = before === examined || known.stamps.has(before);
  await record.add(written, { digest, ...(isExamined && after !== undefined && { stamp: after }) });
  return decision;
}

/** A decision that names others may say what counts where a merge or another hand has changed them. */
async function findExplained(
  site: RecordSite,
  { place }: OpenHandover,
  draft: NewDecision,
): Promise<readonly string[]> {
  const named = new Set(decisionReferences(Object.values(toDecisionText(draft)).join("\n")));
  if (named.size === 0) return [];
  const disputed = await findDisputed(site, (await readAllDecisions(place)) ?? new Uint8Array());
  return disputed.filter(({ seq }) => named.has(seq)).map(({ key }) => key);
}

/** What the log knows of the decisions before the one that is about to be written. */
interface KnownBefore {
  readonly known: Watermark | undefined;
  /** The highest number that was given in the project, on other machines too as far as it is known here. */
  readonly above: number;
  /** Tells whether a watermark covers all that was ever written here: then it alone proves that nothing was changed. */
  readonly isWhole: (watermark: Watermark) => boolean;
  /** What `stampsIn` returns. */
  readonly stamps: ReadonlySet<unknown>;
}

async function readBefore(record: DocumentRecord, root: string): Promise<KnownBefore> {
  const notes: RecordedEvent[] = [];
  for await (const note of record.read(notesToSearch)) notes.push(note);
  const isWritten = ({ data }: RecordedEvent) =>
    notes.some((each) => each.event === written && each.data.digest === data.digest);
  const all = notes.filter(({ event }) => event === announced);
  const own = notes.findLast(({ data }) => data.watermark !== undefined && (data.root ?? root) === root);
  const known = own?.data.watermark as Watermark | undefined;
  // A number that was announced and never written is free.
  const numbers = all.filter(isWritten).map(({ data }) => Number(data.seq));
  return {
    known,
    stamps: stampsIn(notes),
    above: Math.max(await readHighestElsewhere(record), ...numbers),
    isWhole: ({ from }) =>
      notes.length === 0 || (own?.data.whole === true && from > 0 && from === known?.size),
  };
}
