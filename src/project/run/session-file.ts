import type { ConversationLog } from "../../conversation/conversation-log.ts";
import type { SessionId } from "../../conversation/ids.ts";
import { writeFileAtomically } from "../../lib/atomic-file.ts";

/** Returns what writes the state of a session to a file that only its owner may read; nothing where no file is wanted. */
export function sessionFileWriter(
  log: ConversationLog,
  session: SessionId,
  path: string | undefined,
): () => Promise<void> {
  if (path === undefined) return async () => undefined;
  return async () => {
    const [found] = (await log.list({ id: session })).sessions;
    if (found === undefined) return;
    const { toSessionState } = await import("../../exchange/claude-master/render-state.ts");
    const state = toSessionState(found, await Array.fromAsync(log.read(session)));
    await writeFileAtomically(path, `${JSON.stringify(state, null, 2)}\n`);
  };
}
