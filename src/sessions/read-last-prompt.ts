import type { ConversationLog } from "./conversation-log.ts";
import type { Entry } from "./entry.ts";
import type { SessionId } from "./ids.ts";
import { userWords } from "./user-words.ts";

/** How many of the newest entries are looked at: first few, then more; a turn may have hundreds of tool calls. */
const reaches = { far: [40, 200, 1000], near: [40, 200] } as const;

/** Returns what a person asked last in a session, even if the client was killed before it wrote that down. */
export async function readLastPrompt(
  log: ConversationLog,
  session: SessionId,
  reach: keyof typeof reaches = "far",
): Promise<string | undefined> {
  for (const newest of reaches[reach]) {
    let last: { readonly atMs: number; readonly text: string } | undefined;
    for await (const entry of log.read(session, { from: -newest })) {
      const [text, atMs] = [promptOf(entry).trim(), entry.at.getTime()];
      // What a hook saw may be recorded after what came later.
      if (text !== "" && (last === undefined || atMs >= last.atMs)) last = { atMs, text };
    }
    if (last !== undefined) return last.text;
  }
  return undefined;
}

/** A reason or an answer asks for something too; a stop does not. */
function promptOf(entry: Entry): string {
  return userWords(entry)
    .flatMap(({ text, how }) => (how === "interrupted" ? [] : [text]))
    .join("\n");
}
