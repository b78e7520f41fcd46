import type { Entry, Json, JsonObject } from "../../sessions/entry.ts";
import type { EntryId } from "../../sessions/ids.ts";

/** A row of the talk, and the entry that it was made of. */
interface TalkRow {
  readonly row: JsonObject;
  readonly entry: Entry | undefined;
}

/**
 * Goes from the last row to the first, as the client does. `given` is what the model is told: all up to the last summary.
 * `others` are prompts that the way does not pass, before a summary either; of parallel calls it passes only some.
 */
export function walkTalk(
  rows: readonly TalkRow[],
  leaf: string | null,
): { readonly given: ReadonlySet<EntryId>; readonly others: ReadonlySet<EntryId> } {
  const [given, passed] = [new Set<EntryId>(), new Set<EntryId>()];
  let at: Json | undefined = leaf;
  let isGiven = true;
  // No row stands before its parent.
  for (const { row, entry } of rows.toReversed()) {
    if (row.uuid !== at || entry === undefined) continue;
    passed.add(entry.id);
    if (isGiven && (entry.kind === "message" || entry.kind === "summary")) given.add(entry.id);
    isGiven &&= row.logicalParentUuid === undefined;
    at = row.parentUuid ?? row.logicalParentUuid;
  }
  const prompts = rows.flatMap(({ entry }) =>
    entry?.kind === "message" && entry.role === "user" ? [entry.id] : [],
  );
  return { given, others: new Set(prompts.filter((id) => !passed.has(id))) };
}
