import { describeDay } from "../../lib/describe-time.ts";
import type { Entry } from "../../sessions/entry.ts";
import type { Session } from "../../sessions/session.ts";
import { toEntryJson } from "../entry-json.ts";
import type { Output } from "../paged-output.ts";
import { renderJson } from "../render-json.ts";
import { toSessionJson } from "../session-json.ts";
import { PathTracker } from "./path-tracker.ts";
import { renderEntry } from "./render-entry.ts";
import { renderHeading } from "./render-heading.ts";
import type { View } from "./render-part.ts";

/** Writes a session for people, entry by entry, and stops when the reader has seen enough. */
export async function writeTranscript(
  output: Output,
  session: Session,
  entries: AsyncIterable<Entry>,
  view: View,
): Promise<void> {
  const path = new PathTracker();
  let day = describeDay(session.startedAt);
  await output.write(renderHeading(session, view));
  for await (const entry of entries) {
    const today = describeDay(entry.at);
    const dayLine = today === day ? "" : `${view.style.dim(`── ${today} ──`)}\n\n`;
    day = today;
    if (!(await output.write(dayLine + renderEntry(entry, path.follow(entry), view)))) break;
  }
}

/** Writes a session as one JSON document, entry by entry, so that none of any size is held in memory. */
export async function writeJson(
  output: Output,
  session: Session,
  entries: AsyncIterable<Entry>,
): Promise<void> {
  await output.write(`{"session":${renderJson(toSessionJson(session))},"entries":[`);
  let separator = "\n";
  for await (const entry of entries) {
    await output.write(`${separator}${renderJson(toEntryJson(entry))}`);
    separator = ",\n";
  }
  await output.write("\n]}\n");
}
