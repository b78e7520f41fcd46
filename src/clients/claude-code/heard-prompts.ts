import type { Entry } from "../../sessions/entry.ts";
import { toSeenMessage } from "../../sessions/observations.ts";
import { isQueuedEntry } from "./prompt-queue.ts";

/** Prompts that were typed while the model worked and that no row repeats: the model got each with the next results. */
export class HeardPrompts {
  readonly #all: ReadonlySet<Entry>;
  #waiting: readonly Entry[];

  constructor(entries: readonly Entry[]) {
    const heard = entries.filter((entry) => isQueuedEntry(entry) && toSeenMessage(entry) !== undefined);
    this.#all = new Set(heard);
    this.#waiting = heard.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  }

  has(entry: Entry): boolean {
    return this.#all.has(entry);
  }

  /** Returns those that were typed until then and were not taken yet; all of them without a moment. */
  take(until?: Date): readonly Entry[] {
    const taken = this.#waiting.filter(({ at }) => until === undefined || at <= until);
    this.#waiting = this.#waiting.filter((entry) => !taken.includes(entry));
    return taken;
  }
}
