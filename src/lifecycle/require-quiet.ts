import { readProcesses } from "../clients/claude-code/live-sessions.ts";
import { AppError } from "../lib/app-error.ts";
import type { Session } from "../sessions/session.ts";

/** Throws where a client is in a session at this moment, as far as its own lists in these folders tell. */
export async function requireQuiet(session: Session, clients: readonly string[]): Promise<void> {
  if (session.clientSessionId === null) return;
  const lists = await Promise.all(clients.map(readProcesses));
  const holder = lists
    .flatMap((list) => list ?? [])
    .find((each) => each.session === session.clientSessionId && each.liveness !== "gone");
  if (holder === undefined) return;
  const how = holder.liveness === "alive" ? "is" : "may be";
  throw new AppError(
    `Session ${session.id} ${how} open in Claude Code, process ${holder.pid}, which would go on without what is merged into it.`,
    {
      kind: "conflict",
      code: "session-live",
      hint: "Close it there first, or merge into a fork of it: say how that is to be called with `--title`.",
    },
  );
}
