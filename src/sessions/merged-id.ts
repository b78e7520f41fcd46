import { sha256 } from "./chain.ts";
import { type EntryId, isName, type SessionId } from "./ids.ts";

const form = /^from-[0-9a-f]{12}-/;
const noteForm = /^merge-[0-9a-f]{24}(?:-end|-status)?$/;

/** Returns what the ids of entries begin with that a merge has brought from a session: the `merging` event names both. */
export function prefixOf(session: SessionId): string {
  return `from-${sha256(session).slice(0, 12)}-`;
}

/**
 * Returns the id under which an entry stands in a session that it was merged into.
 *
 * It follows from where the entry was first recorded and from nothing else: so an entry arrives once, however often and
 * by whatever way it is merged. One that was brought before keeps its id.
 */
export function mergedId({ id, session }: { readonly id: EntryId; readonly session: SessionId }): EntryId {
  if (isMergedId(id)) return id;
  const readable = `${prefixOf(session)}${id}`;
  // An id has at most 128 characters.
  return (isName(readable) ? readable : `${prefixOf(session)}${sha256(id)}`) as EntryId;
}

/** Tells whether an entry was brought by a merge. */
export function isMergedId(id: string): boolean {
  return form.test(id);
}

/** Returns the beginning of the id of an entry that a merge has brought. */
export function prefixIn(id: EntryId): string | undefined {
  return form.exec(id)?.[0];
}

/** Returns the ids of what a merge itself writes down: before the entries, after them, and of the status. */
export function noteIds(key: string): {
  readonly begin: EntryId;
  readonly end: EntryId;
  readonly status: EntryId;
} {
  const begin = `merge-${sha256(key).slice(0, 24)}` as EntryId;
  return { begin, end: `${begin}-end` as EntryId, status: `${begin}-status` as EntryId };
}

/** Tells whether a merge wrote an entry about itself: it is no part of the talk, and is never merged on. */
export function isMergeNote(id: string): boolean {
  return noteForm.test(id);
}
