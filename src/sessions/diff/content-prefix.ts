import type { Entry } from "../entry.ts";
import type { OwnEntries } from "../side-reader.ts";
import { contentKey } from "./content-key.ts";

/** What two streams say alike at their beginning, and the rest of each. */
export interface ContentPrefix {
  /** How many messages, summaries and rounds are equal. */
  readonly equal: number;
  /** The last entries that are equal; undefined where there are none. */
  readonly left: Entry | undefined;
  readonly right: Entry | undefined;
  /** What comes after it on each side, still to be read. */
  readonly rests: readonly [OwnEntries, OwnEntries];
}

/** Reads two streams as long as they say the same; what happened beside the talk does not count. */
export async function readContentPrefix(left: OwnEntries, right: OwnEntries): Promise<ContentPrefix> {
  const [ones, others] = [new TalkReader(left), new TalkReader(right)];
  let equal = 0;
  let last: readonly [Entry | undefined, Entry | undefined] = [undefined, undefined];
  for (;;) {
    const [one, other] = [await ones.next(), await others.next()];
    if (one === undefined || other === undefined || contentKey(one) !== contentKey(other)) break;
    equal += 1;
    last = [one, other];
    ones.forget();
    others.forget();
  }
  return { equal, left: last[0], right: last[1], rests: [ones.rest(), others.rest()] };
}

/** Reads on to what was said, and keeps what came before it until it is forgotten. */
class TalkReader {
  readonly #own: OwnEntries;
  #kept: Entry[] = [];

  constructor(own: OwnEntries) {
    this.#own = own;
  }

  async next(): Promise<Entry | undefined> {
    for (;;) {
      const { value, done } = await this.#own.entries.next();
      if (done === true) return undefined;
      if (!this.#own.counts(value)) continue;
      this.#kept.push(value);
      if (contentKey(value) !== undefined) return value;
    }
  }

  forget(): void {
    this.#kept = [];
  }

  /** Returns what was kept, and after it what was not read. */
  rest(): OwnEntries {
    const { entries, counts } = this.#own;
    const kept = this.#kept.values();
    return {
      counts,
      entries: {
        next: async () => {
          const { value, done } = kept.next();
          return done === true ? entries.next() : { value, done: false };
        },
      },
    };
  }
}
