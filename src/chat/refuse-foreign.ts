import { AppError } from "../lib/app-error.ts";
import type { Session } from "../sessions/session.ts";

/**
 * Makes sure that a session is one that a chat may write; throws otherwise.
 *
 * What a client writes stays its own: it would not know of what was added. A fork of it is nobody's but ours.
 */
export function refuseForeign({ id, client, clientSessionId, forkedFrom }: Session): void {
  if (client === "carryon-chat" || client === "carryon-append") return;
  if (client === "carryon-run") {
    throw new AppError(`Session ${id} is a run of instructor and worker, and no chat.`, {
      kind: "usage",
      code: "not-a-chat",
      hint: `Go on with it: \`carryon run --resume --session ${id}\``,
    });
  }
  if (forkedFrom !== null && clientSessionId === null && client !== "carryon-handover") return;
  throw new AppError(`Session ${id} is written by ${client}, and not by a chat.`, {
    kind: "usage",
    code: "not-a-chat",
    hint: `Go on in a fork: \`carryon fork ${id}\`, and give its id to \`carryon chat --session\`.`,
  });
}
