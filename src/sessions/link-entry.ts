import { chainHash, sha256 } from "./chain.ts";
import type { EntryContent, NewEntry } from "./entry.ts";
import { type EntryId, mainStrand, parseEntryId, parseStrand, type Strand } from "./ids.ts";
import { applyEntry, type SessionFacts } from "./session-facts.ts";

/** An entry in the form in which it is stored. */
export interface EncodedEntry {
  readonly parent: EntryId | null;
  readonly kind: string;
  readonly atMs: number;
  /** What it may say, and the text of that. */
  readonly content: EntryContent;
  readonly body: string;
  /** The text of what it said before secrets were taken out. */
  readonly given: string;
}

/** What an entry is known by in its session, and what it makes of the session. */
export interface LinkedToChain {
  readonly id: EntryId;
  readonly strand: Strand;
  readonly bodyHash: string;
  readonly givenHash: string;
  readonly hash: string;
  readonly facts: SessionFacts;
}

/** Adds an entry to the chain and the facts of a session. Throws `InvalidId` for an id or strand of another form. */
export function linkEntry(
  before: { readonly hash: string; readonly facts: SessionFacts },
  entry: NewEntry,
  { parent, kind, atMs, content, body, given }: EncodedEntry,
): LinkedToChain {
  const id = parseEntryId(entry.id);
  const strand = parseStrand(entry.strand ?? mainStrand);
  const bodyHash = sha256(body);
  return {
    ...{ id, strand, bodyHash },
    givenHash: given === body ? bodyHash : sha256(given),
    hash: chainHash(before.hash, { id, parent, strand, kind, atMs, bodyHash }),
    facts: applyEntry(before.facts, { id, at: entry.at, content }),
  };
}
