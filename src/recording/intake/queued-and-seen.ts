import { isQueuedEntry } from "../../clients/claude-code/prompt-queue.ts";
import { keyOf } from "../../clients/claude-code/queued-key.ts";
import type { Seen } from "../../clients/claude-code/read-observation.ts";
import type { QueuedPrompt } from "../../clients/claude-code/transcript-state.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import type { Entry, NewEntry } from "../../sessions/entry.ts";
import type { SessionId } from "../../sessions/ids.ts";
import { found, hookStrand, observationIn } from "../../sessions/observations.ts";

/**
 * Returns entries without what was typed while the model worked and a hook has told of: the client ran its hooks when it
 * took the prompt from its queue, and the log has what they saw.
 */
export async function leaveOutSeen(
  log: ConversationLog,
  session: SessionId,
  entries: readonly NewEntry[],
): Promise<readonly NewEntry[]> {
  if (!entries.some((entry) => promptOf(entry) !== undefined && isQueuedEntry(entry))) return entries;
  const seen: Entry[] = [];
  const over = new Set<string | undefined>();
  for await (const entry of log.read(session, { strand: hookStrand })) {
    over.add(observationIn(entry));
    if (promptOf(entry) !== undefined && !isQueuedEntry(entry)) seen.push(entry);
  }
  const open = seen.filter(({ id }) => !over.has(id));
  return entries.filter((entry) => !isQueuedEntry(entry) || !open.some((each) => isRepeated(each, entry)));
}

function isRepeated(seen: Entry, entry: NewEntry): boolean {
  const [one, other] = [promptOf(seen), promptOf(entry)];
  if (one === undefined || other === undefined || seen.at < entry.at) return false;
  return keyOf(one).digest === keyOf(other).digest;
}

/** Makes the entries that say which of the prompts that waited are among what hooks saw. */
export function findSeen(queue: readonly QueuedPrompt[], seen: readonly Seen[]): readonly NewEntry[] {
  return seen.flatMap(({ entry }) => {
    const prompt = promptOf(entry);
    const digest = prompt === undefined ? undefined : keyOf(prompt).digest;
    return queue
      .filter((each) => each.text === null && each.digest === digest && new Date(each.at) <= entry.at)
      .map(({ id }) => found(id, entry.at));
  });
}

function promptOf(entry: Entry | NewEntry): string | undefined {
  if (entry.kind !== "event" || entry.event !== "prompt-seen") return undefined;
  return typeof entry.data.prompt === "string" ? entry.data.prompt : undefined;
}
