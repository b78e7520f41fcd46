import { decisionFields } from "../decision.ts";
import { DocumentRecord, type RecordSite } from "../document-record.ts";
import { type FoundDecision, parseDecisions } from "./parse-decisions.ts";
import {
  announced,
  notesToSearch,
  type RecordedDecision,
  type RecordedDecisions,
  readRecorded,
} from "./recorded-decisions.ts";
import {
  compareEntries,
  digestOf,
  type EntryChanges,
  endsOfEntries,
  isIntact,
  isUntouched,
  type Watermark,
} from "./watermark.ts";

/** What has happened to decisions.md beside what was appended to it here. */
export interface DecisionsReport extends EntryChanges {
  /** Whether its bytes are those that were written here, up to what was added since. */
  readonly isIntact: boolean;
  /** Numbers of entries that were cut off, or have none of their fields. */
  readonly bare: readonly number[];
  /** The entries that were written here and are gone, as far as the log has their text. */
  readonly lost: readonly RecordedDecision[];
  /** What a later decision has said counts, as `keyOf` names it. */
  readonly explained: ReadonlySet<string>;
  readonly decisions: readonly FoundDecision[];
}

const unknown: RecordedDecisions = { decisions: [], watermarks: [], explained: new Set() };

/** Compares decisions.md with what the log knows of it: nothing where there is no site. */
export async function inspectDecisions(
  site: RecordSite | undefined,
  content: Uint8Array,
): Promise<DecisionsReport> {
  const text = new TextDecoder().decode(content);
  const parsed = parseDecisions(text);
  const { decisions } = parsed;
  const bare = decisions.filter(isBare).map(({ seq }) => seq);
  const end = site && (await findUntouchedEnd(site, content));
  if (end !== undefined) {
    const changes = compareEntries(parsed, []);
    const isPlain = bare.length + changes.repeated.length === 0;
    if (isPlain)
      return { ...changes, bare, decisions, isIntact: true, lost: [], explained: unknown.explained };
  }
  const found = new Set(decisions.map(({ raw }) => digestOf(raw)));
  const recorded = site === undefined ? unknown : await readRecorded(site);
  const isThere = ({ isWritten, digest }: RecordedDecision) => isWritten || found.has(digest);
  const there = recorded.decisions.filter(isThere);
  const dropped = new Set(recorded.decisions.filter((each) => !isThere(each)).map(({ digest }) => digest));
  const isOfFile = ({ digest }: { readonly digest: string | undefined }) =>
    digest === undefined || !dropped.has(digest);
  return {
    ...compareEntries(parsed, there),
    ...{
      bare,
      decisions,
      isIntact: isIntact(content, recorded.watermarks.filter(isOfFile)),
      explained: recorded.explained,
    },
    lost: there.filter(({ digest }) => !found.has(digest)),
  };
}

/**
 * Tells whether decisions.md certainly is nothing but what was appended here, entry by entry: then there is nothing to
 * report of it, and it need not be parsed.
 */
export async function isAsAppended(site: RecordSite, content: Uint8Array): Promise<boolean> {
  if ((await findUntouchedEnd(site, content)) !== content.byteLength) return false;
  // What somebody wrote before the first entry was appended is covered with it.
  const [first = 0] = endsOfEntries(content);
  const { decisions, problems } = parseDecisions(new TextDecoder().decode(content.subarray(0, first)));
  return problems.length === 0 && !decisions.some(isBare);
}

/** Returns where the bytes end that the last decision of this folder covers, if they are certainly untouched. */
async function findUntouchedEnd(site: RecordSite, content: Uint8Array): Promise<number | undefined> {
  let last: Watermark | undefined;
  for await (const { event, data } of new DocumentRecord(site, "decisions.md").read(notesToSearch))
    if (event === announced && data.root === site.root)
      last = data.whole === true ? (data.watermark as unknown as Watermark) : undefined;
  return last !== undefined && isUntouched(content, last) ? last.size : undefined;
}

/** A number about which the document does not say what was written, and the name of what it says instead. */
export interface Disputed {
  readonly seq: number;
  readonly key: string;
}

/** Returns the numbers that a later decision could explain. */
export async function findDisputed(site: RecordSite, content: Uint8Array): Promise<readonly Disputed[]> {
  const { altered, missing, repeated, bare, decisions } = await inspectDecisions(site, content);
  const numbers = new Set([...altered, ...missing, ...repeated, ...bare]);
  return [...numbers].map((seq) => ({ seq, key: keyOf(seq, decisions) }));
}

/** Names what a document says under a number: an explanation is of that, and of nothing that comes later. */
export function keyOf(seq: number, decisions: readonly FoundDecision[]): string {
  const found = decisions.filter((each) => each.seq === seq).map(({ raw }) => digestOf(raw));
  return `${seq}:${found.sort().join(",")}`;
}

function isBare(decision: FoundDecision): boolean {
  return decision.type === "" || decisionFields.every(({ field }) => decision[field] === "");
}
