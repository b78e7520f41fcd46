import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { decisionReferences } from "../../handover/decisions/decision-references.ts";
import { parseDecisions } from "../../handover/decisions/parse-decisions.ts";
import { isSystemError } from "../../lib/app-error.ts";
import { readFailed, symlinkRefused } from "../../lib/file-error.ts";
import type { RecordSite } from "./document-record.ts";
import { type DecisionsReport, inspectDecisions } from "./inspect-decisions.ts";

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

/**
 * Says what has happened to a decisions.md beside what was appended to it here, and what can be done that destroys
 * nothing. Without a site only the document itself is looked at.
 *
 * A number that a later decision refers to is explained and is no problem any more.
 */
export async function examineDecisions(
  site: RecordSite | undefined,
  path: string,
  name = path,
): Promise<Findings> {
  const content = await readWhole(path);
  if (content === undefined) return { problems: [], notes: [] };
  const report = await inspectDecisions(site, content);
  const { decisions } = parseDecisions(new TextDecoder().decode(content));
  const isOpen = (seq: number): boolean => {
    const last = decisions.findLastIndex((each) => each.seq === seq);
    return !decisions
      .slice(last + 1)
      .some((each) => each.seq > seq && decisionReferences(each.raw).includes(seq));
  };
  return toFindings(name, report, isOpen);
}

function toFindings(name: string, report: DecisionsReport, isOpen: (seq: number) => boolean): Findings {
  const tell = (numbers: readonly number[], what: string, hint: string): readonly Finding[] =>
    numbers.length === 0 ? [] : [{ what: `${name}: ${what}`, hint }];
  const altered = report.altered.filter(isOpen);
  const missing = report.missing.filter(isOpen);
  const repeated = report.repeated.filter(isOpen);
  const explain = (numbers: readonly number[]) =>
    `append a decision that names ${list(numbers)} and says what counts, with \`carryon decide\`.`;
  const problems = [
    ...tell(
      report.conflicts,
      `a git merge left its marks in line ${report.conflicts.join(", ")}.`,
      "Delete the lines of the marks and keep the entries of both sides; no number has to change.",
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
    ...tell(
      missing,
      `${list(missing)} ${missing.length === 1 ? "is" : "are"} gone after being written here.`,
      `${compare}; or ${explain(missing)}`,
    ),
  ];
  const hasOnlyBytes = !report.isIntact && altered.length + missing.length === 0;
  return {
    problems,
    notes: hasOnlyBytes
      ? [
          {
            what: `${name}: bytes before its end are not those that were written here.`,
            hint: "A git merge or another hand has changed it; `carryon decisions` shows it as it is.",
          },
        ]
      : [],
  };
}

function list(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).map((seq) => `D${seq}`);
  return numbers.length > shown.length
    ? `${shown.join(", ")} and ${numbers.length - shown.length} more`
    : shown.join(", ");
}

/** A log of many years may be longer than other documents. */
async function readWhole(path: string): Promise<Uint8Array | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | constants.O_NONBLOCK);
    return await handle.readFile().finally(() => handle.close());
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return undefined;
    throw isSystemError(error, "ELOOP") ? symlinkRefused(path, error) : readFailed(path, error);
  }
}
