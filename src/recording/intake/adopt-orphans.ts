import { readTranscript } from "../../clients/claude-code/read-transcript.ts";
import type { Absorbed } from "../../clients/claude-code/to-entries.ts";
import { type EntryId, isName, type SessionId } from "../../sessions/ids.ts";
import type { Ingestion } from "../../sessions/ingestion.ts";

/** Where the rows of orphans come from. */
export interface OrphansPlace {
  readonly session: SessionId;
  readonly path: string;
}

/**
 * Gives entries their parents that the reader has forgotten, because they are far back.
 *
 * The log has the parent itself, or, if nothing was recorded of it, the nearest of its ancestors in the transcript of
 * which something was.
 */
export async function adoptOrphans(
  ingestion: Ingestion,
  { session, path }: OrphansPlace,
  absorbed: Absorbed,
): Promise<Absorbed> {
  const orphans = new Map(
    absorbed.notes.flatMap((note) => (note.type === "orphan" ? [[note.entry, note.parent] as const] : [])),
  );
  if (orphans.size === 0) return absorbed;
  const findHeld = async (ids: readonly string[]) =>
    new Set<string>(await ingestion.held(session, [...new Set(ids)].filter(isName) as EntryId[]));
  const found = new Map<EntryId, EntryId>();
  const held = await findHeld([...orphans.values()]);
  for (const [entry, parent] of orphans) if (held.has(parent)) found.set(entry, parent as EntryId);
  const left = [...orphans].filter(([entry]) => !found.has(entry));
  const parents = left.length === 0 ? undefined : await readParents(path);
  for (const [entry, parent] of left) {
    const ancestors = climb(parent, parents ?? new Map());
    const known = await findHeld(ancestors);
    const nearest = ancestors.find((each) => known.has(each));
    if (nearest !== undefined) found.set(entry, nearest as EntryId);
  }
  return {
    ...absorbed,
    entries: absorbed.entries.map((entry) => ({ ...entry, ...withParent(found.get(entry.id)) })),
    notes: absorbed.notes.filter((note) => note.type !== "orphan" || !found.has(note.entry)),
  };
}

function withParent(parent: EntryId | undefined): { readonly parent?: EntryId } {
  return parent === undefined ? {} : { parent };
}

/** Returns the parents of all rows of a transcript. */
async function readParents(path: string): Promise<ReadonlyMap<string, string | null>> {
  const parents = new Map<string, string | null>();
  for await (const { rows } of readTranscript(path)) {
    for (const row of rows) if (row.family === "chain") parents.set(row.uuid, row.parentUuid);
  }
  return parents;
}

/** What nothing is recorded of stands between what something is recorded of, a few rows at a time. */
const steps = 200;

/** Returns a row and its ancestors, the nearest first. */
function climb(from: string, parents: ReadonlyMap<string, string | null>): readonly string[] {
  const path = new Set<string>();
  for (let at: string | null | undefined = from; typeof at === "string"; at = parents.get(at)) {
    if (path.has(at) || path.size === steps) break;
    path.add(at);
  }
  return [...path].slice(1);
}
