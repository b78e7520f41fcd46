import type { EarlierWork } from "../handover/earlier-work.ts";
import { awaiting } from "../handover/next-step.ts";
import type { Brief } from "../handover/render-brief.ts";
import { describeAge } from "../lib/duration.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { truncate } from "../lib/terminal-text.ts";
import { restoredNotice } from "../sessions/own-echo.ts";

/** What a brief restores, and from where it is read. */
export interface Restored {
  readonly earlier: EarlierWork | undefined;
  readonly now: Date;
  /** The words that run Carryon in the user's shell. */
  readonly command: string;
}

/** Says to the user in one line which work a brief restores; undefined where there is no work to continue. */
export function describeRestored(brief: Brief, { earlier, now, command }: Restored): string | undefined {
  const work = earlier?.summary ?? describeWritten(brief, now);
  return work && `${restoredNotice}${toPrintableLine(work)}. Other work: ${command} status`;
}

const longestText = 70;

/** Where no session tells of work, a person may have written it down; the first part that says something counts. */
const written = ["Session goal", "Next action", "Saved work"];

function describeWritten({ parts }: Brief, now: Date): string | undefined {
  const [part] = written
    .flatMap((name) => parts.filter((each) => each.name === name))
    .filter(({ text }) => text !== awaiting);
  if (part === undefined) return undefined;
  const [first = ""] = part.text.replace(/^Worked on: /, "").split("\n");
  const age = part.at === undefined ? "" : ` (${describeAge(part.at, now)})`;
  return `"${truncate(first, longestText)}"${age}`;
}
