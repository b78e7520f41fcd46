import type { ConversationLog } from "../sessions/conversation-log.ts";
import type { Entry, Part } from "../sessions/entry.ts";
import { isMergedId } from "../sessions/merged-id.ts";
import { hookStrand } from "../sessions/observations.ts";
import type { Session } from "../sessions/session.ts";

const firstChunk = 100;
/** How far before the moment the call is looked for whose result came after it. */
const mostBefore = 1000;

/**
 * Returns the entries of a session since a moment, in their order, and some that come before them.
 *
 * Read from the end, so that the cost grows with what is new. Those before are there because the call of a command may
 * be older than its result. Where the most that is wanted is told, reading ends when there is as much.
 */
export async function readSince(
  log: ConversationLog,
  { id, entries: count }: Pick<Session, "id" | "entries">,
  since: Date,
  { most = Number.POSITIVE_INFINITY }: { readonly most?: number | undefined } = {},
): Promise<readonly Entry[]> {
  let found: readonly Entry[] = [];
  let reached: number | undefined;
  let first = count + 1;
  for (let size = firstChunk; first > 1 && found.length < most; size *= 2) {
    const from = Math.max(1, first - size);
    const part = await Array.fromAsync(log.read(id, { from, to: first - 1 }));
    found = [...part, ...found];
    first = from;
    if (reached === undefined && part.some((entry) => isBefore(entry, since))) reached = first;
    if (reached !== undefined && (!hasOpenResult(found, since) || reached - first >= mostBefore)) break;
  }
  // What a merge has brought is told by the session that it comes from.
  return found.filter(({ id: entry }) => !isMergedId(entry));
}

/**
 * What hooks saw, what subagents did and what a merge has brought is taken in later than it happened, and says nothing of
 * what comes before it.
 */
function isBefore({ id, strand, at }: Entry, since: Date): boolean {
  return at < since && strand !== hookStrand && !strand.startsWith("agent-") && !isMergedId(id);
}

function hasOpenResult(entries: readonly Entry[], since: Date): boolean {
  const messages = entries.filter((entry) => entry.kind === "message");
  const calls = new Set(messages.flatMap(({ parts }) => parts.flatMap((part) => callIn(part, "tool-call"))));
  const isNew = messages.filter(({ at }) => at >= since);
  return isNew.some(({ parts }) =>
    parts.flatMap((part) => callIn(part, "tool-result")).some((call) => !calls.has(call)),
  );
}

function callIn(part: Part, type: "tool-call" | "tool-result"): readonly string[] {
  return part.type === type ? [part.call] : [];
}
