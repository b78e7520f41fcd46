import { sha256 } from "../../sessions/chain.ts";
import type { EntryContent, NewEntry } from "../../sessions/entry.ts";
import type { Strand } from "../../sessions/ids.ts";
import { takenId } from "../../sessions/taken-id.ts";

/** Makes an entry whose id follows from its session, its place and what it says. */
export function makeEntry(
  session: string,
  place: { readonly strand: Strand; readonly number: number; readonly at: Date },
  content: EntryContent,
): NewEntry {
  const { strand, number, at } = place;
  const known = sha256(JSON.stringify([session, strand, number, content]));
  return { ...content, id: takenId(known), at, strand };
}
