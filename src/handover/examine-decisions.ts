import { readAuthorship } from "../git/git-history.ts";
import type { HandoverPlace } from "../workspace/choose-handover-place.ts";
import {
  type DecisionsReport,
  inspectDecisions,
  isAsAppended,
  keyOf,
} from "./decisions/inspect-decisions.ts";
import { decodeDecisions, readAllDecisions, readStamp } from "./decisions/read-decisions.ts";
import { notesToSearch, stampsIn } from "./decisions/recorded-decisions.ts";
import { DocumentRecord, type RecordSite } from "./document-record.ts";
import { locateHandover } from "./handover-folder.ts";

/** Something that people should know of a document, and what they can do about it. */
interface Finding {
  readonly what: string;
  readonly hint: string;
}

/** What is wrong with a document, and what should only be known. */
export interface Findings {
  readonly problems: readonly Finding[];
  readonly notes: readonly Finding[];
}

const compare =
  "Nothing was rewritten. Compare it with an older copy, such as one in git, and bring the old lines back";
const restore = "`carryon decisions --restore` appends them again from the log";

/**
 * Says what has happened to a decisions.md beside what was appended to it here, and what can be done that destroys
 * nothing. Without a site only the document itself is looked at.
 *
 * What a later decision has explained is no problem any more.
 */
export async function examineDecisions(
  site: RecordSite | undefined,
  place: HandoverPlace,
  name = locateHandover(place).decisions,
): Promise<Findings> {
  const path = locateHandover(place).decisions;
  const content = await readAllDecisions(place);
  if (content === undefined && site === undefined) return { problems: [], notes: [] };
  if (content !== undefined) decodeDecisions(path, content);
  const report = await inspectDecisions(site, content ?? new Uint8Array());
  const isOpen = (seq: number) => !report.explained.has(keyOf(seq, report.decisions));
  const open: OpenChanges = {
    ...{
      conflicts: report.conflicts,
      isIntact: report.isIntact,
      hasText: report.lost.some(({ text }) => text),
    },
    altered: report.altered.filter(isOpen),
    missing: report.missing.filter(isOpen),
    repeated: report.repeated.filter(isOpen),
    bare: [...new Set(report.bare.filter(isOpen))],
    // A branch that does not have a decision has not lost it.
    isCommitted:
      site !== undefined && content !== undefined && (await isCommitted(site, path, report.missing)),
  };
  return toFindings(name, open);
}

/** What was found, and the stamp of a decisions.md that is certainly nothing but what was appended here. */
export interface StampedFindings extends Findings {
  readonly stamp?: string | undefined;
}

/**
 * Says the same as `examineDecisions`, for a brief. The document is not read while it has the stamp that the log has of it:
 * it may be as long as the history of the project.
 */
export async function examineForBrief(site: RecordSite, place: HandoverPlace): Promise<StampedFindings> {
  const stamp = await readStamp(place);
  if (stamp !== undefined && (await isInOrder(site, place, stamp))) return { problems: [], notes: [], stamp };
  return examineDecisions(site, place, "decisions.md");
}

async function isInOrder(site: RecordSite, place: HandoverPlace, stamp: string): Promise<boolean> {
  const notes = await Array.fromAsync(new DocumentRecord(site, "decisions.md").read(notesToSearch));
  if (stampsIn(notes).has(stamp)) return true;
  const content = await readAllDecisions(place);
  return content !== undefined && isAsAppended(site, content);
}

interface OpenChanges
  extends Pick<DecisionsReport, "conflicts" | "altered" | "missing" | "repeated" | "bare" | "isIntact"> {
  /** Whether the log has the text of what is missing. */
  readonly hasText: boolean;
  /** Whether the document is as the branch has it. */
  readonly isCommitted: boolean;
}

async function isCommitted(site: RecordSite, path: string, missing: readonly number[]): Promise<boolean> {
  return missing.length > 0 && (await readAuthorship(site.root, path)) !== undefined;
}

function toFindings(name: string, changes: OpenChanges): Findings {
  const tell = (numbers: readonly number[], what: string, hint: string): readonly Finding[] =>
    numbers.length === 0 ? [] : [{ what: `${name}: ${what}`, hint }];
  const { conflicts, repeated, altered, missing, bare, isIntact, isCommitted, hasText } = changes;
  const explain = (numbers: readonly number[]) =>
    `append a decision that names ${list(numbers)} and says what counts, with \`carryon decide\`.`;
  const gone = tell(
    missing,
    isCommitted
      ? `${list(missing)} ${are(missing)} not on this branch; written here before.`
      : `${list(missing)} ${are(missing)} gone after being written here.`,
    hasText
      ? `Nothing was rewritten. ${restore}; or ${explain(missing)}`
      : `${compare}; or ${explain(missing)}`,
  );
  const problems = [
    ...tell(
      conflicts,
      `a git merge left its marks in line ${conflicts.join(", ")}.`,
      "Delete the lines of the marks, and keep the entries of both sides, each with its own fields below its first line: where git shows the fields once, write them below both. No number has to change.",
    ),
    ...tell(
      repeated,
      `more than one entry is ${list(repeated)}, as after a git merge.`,
      `Leave the numbers, because other documents refer to them: ${explain(repeated)}`,
    ),
    ...tell(
      altered,
      `${list(altered)} ${altered.length === 1 ? "says" : "say"} something else than was written here.`,
      `${compare}; or ${explain(altered)}`,
    ),
    ...(isCommitted ? [] : gone),
  ];
  const notes = [
    ...(isCommitted ? gone : []),
    ...tell(
      bare,
      `${list(bare)} ${bare.length === 1 ? "has" : "have"} no fields: cut off, or taken by a merge.`,
      `To make up for it, ${explain(bare)}`,
    ),
  ];
  const hasOnlyBytes = !isIntact && altered.length + missing.length === 0;
  const bytes = {
    what: `${name}: bytes before its end are not those that were written here.`,
    hint: "A git merge or another hand has changed it; `carryon decisions` shows it as it is.",
  };
  return { problems, notes: hasOnlyBytes ? [...notes, bytes] : notes };
}

function are(numbers: readonly number[]): string {
  return numbers.length === 1 ? "is" : "are";
}

function list(numbers: readonly number[]): string {
  const shown = [...new Set(numbers)].slice(0, 10).map((seq) => `D${seq}`);
  return numbers.length > shown.length
    ? `${shown.join(", ")} and ${numbers.length - shown.length} more`
    : shown.join(", ");
}
