import type { ConversationLog } from "../conversation-log.ts";
import { contentText } from "../diff/content-key.ts";
import { countShared } from "../diff/find-shared.ts";
import type { Entry } from "../entry.ts";
import { type EntryId, mainStrand } from "../ids.ts";
import { isMergedId, isMergeNote, mergedId } from "../merged-id.ts";
import { scrubbedEvent } from "../scrub-note.ts";
import type { Session } from "../session.ts";
import { readPaths } from "../session-paths.ts";
import type { SideRequest } from "../side-reader.ts";

/**
 * Returns the entries of a session, or of one path through it, that another session does not have.
 *
 * Shared is what is the same stored entry, what was merged before, and what a client has written with the same id and
 * content into both. What only says the same was said twice, and is no loss to keep. Notes about a record itself (of
 * scrubs and merges) are true of that record only, and stay behind.
 */
export async function findPart(
  log: ConversationLog,
  target: Session,
  source: SideRequest,
): Promise<readonly Entry[]> {
  const isOwnPath = target.id === source.session.id;
  const shared = isOwnPath ? 0 : await countShared(log, target, source.session);
  const isOnPath = await makeFilter(log, target, source);
  const part = new Map<EntryId, Entry>();
  for await (const entry of log.read(source.session.id, { from: shared + 1, to: source.session.entries }))
    if (isOnPath(entry) && !isNote(entry)) part.set(mergedId(entry), entry);
  const heldBy = isOwnPath ? broughtAs : makeHeldBy([...part.values()]);
  for await (const entry of log.read(target.id, { from: shared + 1 }))
    for (const id of heldBy(entry)) part.delete(id);
  return [...part.values()];
}

/** A session has the entries of its own side paths; what counts there is what was brought to the path of the leaf. */
function broughtAs({ id }: Entry): readonly EntryId[] {
  return isMergedId(id) ? [id] : [];
}

/** Returns what tells which of the entries to bring an entry of the target is, by the ids that they would get. */
function makeHeldBy(part: readonly Entry[]): (entry: Entry) => readonly EntryId[] {
  const byId = new Map(part.map((entry) => [entry.id, entry]));
  return (entry) => {
    const same = byId.get(entry.id);
    const isSame = same !== undefined && contentText(same) === contentText(entry);
    return isSame ? [mergedId(entry), mergedId(same)] : [mergedId(entry)];
  };
}

function isNote(entry: Entry): boolean {
  return isMergeNote(entry.id) || (entry.kind === "event" && entry.event === scrubbedEvent);
}

/** Of the path of a session into itself, what its leaf's path has already is left out. */
async function makeFilter(
  log: ConversationLog,
  target: Session,
  { session, end, strand = mainStrand }: SideRequest,
): Promise<(entry: Entry) => boolean> {
  if (end === undefined) return () => true;
  const paths = await readPaths(log, session, strand);
  const wanted = new Set(paths.pathTo(end).map(({ id }) => id));
  if (session.id === target.id) for (const { id } of paths.pathTo(paths.leaf?.seq)) wanted.delete(id);
  return ({ id }) => wanted.has(id);
}
