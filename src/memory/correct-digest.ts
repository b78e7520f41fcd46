import { lineKey } from "../digest/digest.ts";
import { usageError } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { type Correction, rightLine } from "../sessions/describing-events.ts";
import { makeEntryId } from "../sessions/ids.ts";
import type { Session } from "../sessions/session.ts";
import { corrected, nextMoment } from "../sessions/session-events.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type NumberedLine, readDigest } from "./read-digest.ts";

/** What is corrected, and for a line, which: its number, or a part of its text that no other line has. */
interface CorrectionRequest {
  readonly event: Correction;
  readonly wanted?: string | true | undefined;
}

/**
 * Corrects the digest of a session: neither it nor a brief shows a line again that is wrong, and work is done, or open
 * again, until something new is asked or changed in it. Returns the line, if one was wanted. A client may hold the session.
 */
export async function correctDigest(
  { store, clock, random }: Pick<Workspace, "store" | "clock" | "random">,
  session: Session,
  { event, wanted }: CorrectionRequest,
): Promise<string | undefined> {
  const line = typeof wanted === "string" ? await readLine(store, session, event, wanted) : undefined;
  const now = clock.now();
  const at = nextMoment(now, session.updatedAt);
  const entry = corrected(makeEntryId(now, random), at, event, line && lineKey(line));
  await store.log.append(session.id, [entry]);
  return line;
}

/** Returns the text of the line that is meant: one of those marked as wrong, where a mark is taken back. */
async function readLine(
  store: Workspace["store"],
  session: Session,
  event: Correction,
  wanted: string,
): Promise<string> {
  const { sections } = await readDigest({ store }, session);
  const where = sections.filter(({ name }) => (name === "Wrong") === (event === rightLine));
  return findLine(
    where.flatMap(({ lines }) => lines),
    wanted,
  ).text;
}

function findLine(lines: readonly NumberedLine[], wanted: string): NumberedLine {
  const key = lineKey(wanted);
  const found = /^\d+$/.test(wanted)
    ? lines.filter(({ number }) => number === Number(wanted))
    : lines.filter(({ text }) => key !== "" && lineKey(text).includes(key));
  const whole = found.filter(({ text }) => lineKey(text) === key);
  const [line, ...others] = whole.length > 0 ? whole : found;
  const named = JSON.stringify(toPrintableLine(wanted.slice(0, 80)));
  if (line === undefined)
    throw usageError("line-not-found", `The digest has no line ${named}.`, {
      hint: "`carryon digest` shows the lines with their numbers.",
    });
  // Two sections may have the same line: the mark counts for both.
  if (others.some(({ text }) => lineKey(text) !== lineKey(line.text)))
    throw usageError(
      "ambiguous-line",
      `More than one line has ${named}: ${found.map(({ number }) => number).join(", ")}.`,
      { hint: "Give the number of one line; `carryon digest` shows them." },
    );
  return line;
}
