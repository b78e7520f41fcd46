import type { Absorbed } from "../clients/claude-code/to-entries.ts";
import { type EntryId, isName, type SessionId } from "../conversation/ids.ts";
import type { Ingestion } from "../conversation/ingestion.ts";

/** Gives entries their parents that the reader has forgotten, because they are far back, and the log has. */
export async function adoptOrphans(
  ingestion: Ingestion,
  session: SessionId,
  absorbed: Absorbed,
): Promise<Absorbed> {
  const orphans = new Map(
    absorbed.notes.flatMap((note) =>
      note.type === "orphan" && isName(note.parent) ? [[note.entry, note.parent as EntryId] as const] : [],
    ),
  );
  if (orphans.size === 0) return absorbed;
  const held = new Set(await ingestion.held(session, [...new Set(orphans.values())]));
  const parentOf = (id: EntryId) => {
    const parent = orphans.get(id);
    return parent !== undefined && held.has(parent) ? parent : undefined;
  };
  return {
    ...absorbed,
    entries: absorbed.entries.map((entry) => ({ ...entry, ...withParent(parentOf(entry.id)) })),
    notes: absorbed.notes.filter((note) => note.type !== "orphan" || parentOf(note.entry) === undefined),
  };
}

function withParent(parent: EntryId | undefined): { readonly parent?: EntryId } {
  return parent === undefined ? {} : { parent };
}
