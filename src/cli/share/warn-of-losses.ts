import { toPrintableLine } from "../../lib/printable.ts";
import type { Session } from "../../sessions/session.ts";
import { findLosses } from "../../share/find-losses.ts";
import type { WritableProject } from "../../workspace/open-project.ts";
import type { CommandContext } from "../command-context.ts";

/** Says before sessions are deleted that others who have them lose them too. */
export async function warnOfLosses(
  context: CommandContext,
  here: WritableProject,
  sessions: readonly Session[],
): Promise<void> {
  const { sessions: lost, stores } = await findLosses(here, sessions);
  if (lost.length === 0) return;
  const which = lost.length < sessions.length ? `${lost.length} of them` : "";
  const [subject, object] = sessions.length === 1 ? ["It", "it"] : [which || "They", "them"];
  const isOne = lost.length === 1;
  const how =
    stores.length > 0
      ? `${isOne ? "is" : "are"} shared through ${stores.map(toPrintableLine).join(" and ")}`
      : "came from elsewhere";
  const was = isOne ? "it was" : "they were";
  context.err(
    `${subject} ${how}: with the next push or sync others lose ${isOne ? "it" : object} too, unless ${was} begun or continued there.\n`,
  );
}
