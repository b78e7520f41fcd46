import { type EntryId, parseEntryId } from "./ids.ts";

const form = /^in_[0-9a-f]{32}$/;

/** Returns the id of an entry that is made from a file whose format has none, from a hash of what it says. */
export function takenId(hash: string): EntryId {
  return parseEntryId(`in_${hash.slice(0, 32)}`);
}

/** Tells whether an entry was made from such a file, which tells less of a session than its log. */
export function isTakenId(id: string): boolean {
  return form.test(id);
}
