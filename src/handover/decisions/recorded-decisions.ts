import { lstat } from "node:fs/promises";
import { unlessGone } from "../../lib/app-error.ts";
import { DocumentRecord, type RecordedEvent, type RecordSite } from "../document-record.ts";
import type { Watermark } from "./watermark.ts";

/** The events of a decision: before it is written, and after. */
export const announced = "deciding";
export const written = "decided";
/** How many notes are looked through for the last decision of this folder: others may decide in other work trees. */
export const notesToSearch = 40;
/** The event of entries that were written again from the log. */
export const restored = "restored";

/**
 * Returns the stamps that some notes have of a decisions.md with nothing in it but what was appended here. While its stamp
 * is one of them, it need not be examined.
 */
export function stampsIn(notes: readonly RecordedEvent[]): ReadonlySet<unknown> {
  return new Set(notes.flatMap(({ event, data }) => (event === written ? (data.stamp ?? []) : [])));
}

/** A decision as it is written down in the log. */
export interface RecordedDecision {
  readonly seq: number;
  /** The hash of its lines. */
  readonly digest: string;
  /** Its lines; what looks like a secret is not in them. */
  readonly text: string | undefined;
  /** The folder of the project that it was written in. */
  readonly root: string | undefined;
  /** What it says counts, as `keyOf` names it. */
  readonly explains: readonly string[];
  /** Whether it is known that it was written; who was killed in between could not say so. */
  readonly isWritten: boolean;
}

/** What the log knows of a decisions.md. */
export interface RecordedDecisions {
  /** In their order. */
  readonly decisions: readonly RecordedDecision[];
  /** What the file was after each of them, and after entries were written again. */
  readonly watermarks: readonly (Watermark & { readonly digest: string | undefined })[];
  /** All that was explained, wherever. */
  readonly explained: ReadonlySet<string>;
}

/** Returns the decisions that were appended in this folder; those of other work trees that are there are not among them. */
export async function readRecorded(site: RecordSite): Promise<RecordedDecisions> {
  const decisions: RecordedDecision[] = [];
  const watermarks: RecordedDecisions["watermarks"][number][] = [];
  const explained = new Set<string>();
  const isElsewhere = makeElsewhere(site.root);
  for await (const { event, data } of new DocumentRecord(site, "decisions.md").read()) {
    if (event === written) confirm(decisions, data.digest);
    if (event !== announced && event !== restored) continue;
    const known = data as unknown as Partial<RecordedDecision> & Recorded;
    known.explains?.forEach((key) => {
      explained.add(key);
    });
    if (await isElsewhere(known.root)) continue;
    watermarks.push({ ...known.watermark, digest: known.digest });
    if (event === announced)
      decisions.push({ text: undefined, root: undefined, explains: [], ...known, isWritten: false });
  }
  return { decisions, watermarks, explained };
}

type Recorded = Pick<RecordedDecision, "seq" | "digest"> & { readonly watermark: Watermark };

/** What is said to have been written is the last that was announced with that hash. */
function confirm(decisions: RecordedDecision[], digest: unknown): void {
  const at = decisions.findLastIndex((each) => each.digest === digest);
  const found = decisions[at];
  if (found !== undefined) decisions[at] = { ...found, isWritten: true };
}

/** Returns what tells which folders are other ones that are still there; one that is gone has moved here. */
function makeElsewhere(own: string): (root: string | undefined) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return async (root) => {
    if (root === undefined || root === own) return false;
    const isThere = known.get(root) ?? unlessGone(lstat(root)).then((stats) => stats !== undefined);
    known.set(root, isThere);
    return isThere;
  };
}
