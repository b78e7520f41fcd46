import type { WrittenSession } from "../../handover/session-work.ts";
import { plural } from "../../lib/plural.ts";
import { toPrintableLine } from "../../lib/printable.ts";
import type { CommandContext } from "../command-context.ts";

/** Says what is wrong with a session.md, and what is not in it. */
export function sayProblems(
  { err }: CommandContext,
  { problems, unlisted }: Pick<WrittenSession, "problems" | "unlisted">,
): void {
  for (const { line, message } of problems) err(`Line ${line}: ${toPrintableLine(message)}.\n`);
  if (unlisted > 0) err(`${plural(unlisted, "more changed file")} not listed.\n`);
}
