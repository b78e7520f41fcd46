import { lineKey } from "../digest/digest.ts";
import { AppError } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { makeEntryId } from "../sessions/ids.ts";
import { nextMoment } from "../sessions/next-moment.ts";
import type { Session } from "../sessions/session.ts";
import { markedWrong } from "../sessions/session-events.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { type NumberedLine, readDigest } from "./read-digest.ts";

/**
 * Marks a line of a session's digest as wrong, so that neither the digest nor a brief shows it again, and returns it.
 *
 * The line is its number, or a part of its text that no other line has. A client may hold the session.
 */
export async function markWrong(
  here: Pick<Workspace, "store" | "clock" | "random">,
  session: Session,
  wanted: string,
): Promise<string> {
  const { sections } = await readDigest(here, session);
  const { text } = findLine(
    sections.flatMap(({ lines }) => lines),
    wanted,
  );
  const now = here.clock.now();
  const at = nextMoment(now, session.updatedAt);
  await here.store.log.append(session.id, [markedWrong(makeEntryId(now, here.random), at, lineKey(text))]);
  return text;
}

function findLine(lines: readonly NumberedLine[], wanted: string): NumberedLine {
  const key = lineKey(wanted);
  const found = /^\d+$/.test(wanted)
    ? lines.filter(({ number }) => number === Number(wanted))
    : lines.filter(({ text }) => key !== "" && lineKey(text).includes(key));
  const whole = found.filter(({ text }) => lineKey(text) === key);
  const [line, ...others] = whole.length > 0 ? whole : found;
  if (line === undefined) throw lineNotFound(wanted);
  // Two sections may have the same line: the mark counts for both.
  if (others.some(({ text }) => lineKey(text) !== lineKey(line.text))) throw lineIsAmbiguous(wanted, found);
  return line;
}

function lineNotFound(wanted: string): AppError {
  return new AppError(`The digest has no line ${JSON.stringify(toPrintableLine(wanted.slice(0, 80)))}.`, {
    kind: "usage",
    code: "line-not-found",
    hint: "`carryon digest` shows the lines with their numbers.",
  });
}

function lineIsAmbiguous(wanted: string, lines: readonly NumberedLine[]): AppError {
  const numbers = lines.map(({ number }) => number).join(", ");
  return new AppError(
    `More than one line has ${JSON.stringify(toPrintableLine(wanted.slice(0, 80)))}: ${numbers}.`,
    {
      kind: "usage",
      code: "ambiguous-line",
      hint: "Give the number of one line; `carryon digest` shows them.",
    },
  );
}
