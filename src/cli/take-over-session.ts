import { toPrintableLine } from "../lib/printable.ts";
import { makeEntryId } from "../sessions/ids.ts";
import { describeHolder } from "../sessions/lease.ts";
import { nextMoment } from "../sessions/next-moment.ts";
import type { Session } from "../sessions/session.ts";
import { stopped } from "../sessions/session-events.ts";
import { findHere, writeHere } from "../workspace/open-here.ts";
import { type TakeOver, takeOver } from "../workspace/take-over.ts";
import type { CommandContext } from "./command-context.ts";
import { renderJson } from "./render-json.ts";

/** Frees a session from its writer, records that it was interrupted, and says what became of the writer. */
export function takeOverSession(
  context: CommandContext,
  id: string,
  { json }: { readonly json: boolean },
): Promise<void> {
  return writeHere(context, async (here) => {
    const session = await findHere(context, here, id);
    const outcome = await takeOver(here.store.leases, session.id);
    if (outcome.type === "gone" || outcome.type === "silent") {
      const now = context.clock.now();
      const entry = stopped(
        makeEntryId(now, context.random),
        nextMoment(now, session.updatedAt),
        "interrupted",
      );
      await here.store.log.append(session.id, [entry]);
    }
    if (json) context.out(`${renderJson({ session: session.id, writer: outcome.type })}\n`);
    else context.err(`${describeOutcome(session, outcome)}\n`);
  });
}

const became = {
  gone: "is gone",
  stopped: "has stopped",
  silent: "does not answer; it can add nothing more",
} as const;

function describeOutcome({ id }: Session, outcome: TakeOver): string {
  if (outcome.type === "free") return `Nobody was writing session ${id}`;
  const writer = toPrintableLine(describeHolder(outcome.holder));
  return `${writer} ${became[outcome.type]}. Session ${id} can be written again.`;
}
