import { chainHash, chainStart, sha256 } from "./chain.ts";
import { Replaced } from "./replaced.ts";
import type { LinkedEntry } from "./replica.ts";

/** Follows the entries of a session from the first on, and knows whether each hash is right. */
export class ChainFollower {
  readonly #replaced = new Replaced();
  #entries = 0;
  #hash = chainStart;

  get entries(): number {
    return this.#entries;
  }

  get head(): string | null {
    return this.#entries === 0 ? null : this.#hash;
  }

  /** Goes on to the next entry; returns what is wrong with it, and then stays where it was. */
  take(entry: LinkedEntry): string | undefined {
    if (entry.seq !== this.#entries + 1)
      return `it is entry ${entry.seq}, and ${this.#entries + 1} must follow`;
    const hash = hashAfter(this.#hash, entry);
    if (hash !== entry.hash) return "its content does not match its hash";
    if (entry.scrubbedFrom !== null)
      this.#replaced.add(entry.id, { after: this.#entries, head: this.#hash, hash: sha256(entry.body) });
    if (entry.kind === "event") this.#replaced.note(entry.body);
    this.#entries = entry.seq;
    this.#hash = hash;
    return undefined;
  }

  /** Returns the number of the first entry whose content was replaced although no later one says so. */
  findUnnoted(): number | undefined {
    const found = this.#replaced.firstUnnoted();
    return found === undefined ? undefined : found.after + 1;
  }
}

/** Returns the hash that an entry must have after another. */
export function hashAfter(before: string, entry: LinkedEntry): string {
  const { id, parent, strand, kind, at, body, scrubbedFrom } = entry;
  return chainHash(before, {
    ...{ id, parent, strand, kind, atMs: at.getTime() },
    bodyHash: scrubbedFrom ?? sha256(body),
  });
}
