import type { ConversationLog } from "./conversation-log.ts";
import { type Entry, messageText } from "./entry.ts";
import { mainStrand, type SessionId } from "./ids.ts";
import { hookStrand, type Observation } from "./observations.ts";

/** How many of the newest entries are looked at: first few, then more; a turn may have hundreds of tool calls. */
const reaches = { far: [40, 200, 1000], near: [40, 200] } as const;

const promptSeen: Observation = "prompt-seen";

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

function promptOf(entry: Entry): string {
  if (entry.kind === "message")
    return entry.role === "user" && entry.strand === mainStrand ? messageText(entry) : "";
  if (entry.kind !== "event" || entry.event !== promptSeen || entry.strand !== hookStrand) return "";
  return typeof entry.data.prompt === "string" ? entry.data.prompt : "";
}
