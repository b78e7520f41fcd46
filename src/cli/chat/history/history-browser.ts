/**
 * Goes through what was typed before, newest first, and back to what was being typed.
 *
 * What is added later is found too.
 */
export class HistoryBrowser {
  readonly #entries: string[];
  #place: number | undefined;
  #typed = "";

  /** Begins with what was typed before, oldest first. */
  constructor(entries: readonly string[]) {
    this.#entries = [...entries];
  }

  /** What was typed, oldest first. */
  get entries(): readonly string[] {
    return this.#entries;
  }

  get isBrowsing(): boolean {
    return this.#place !== undefined;
  }

  /** Adds what was typed, once, and goes back to the end. */
  add(text: string): void {
    if (this.#entries.at(-1) !== text) this.#entries.push(text);
    this.leave();
  }

  leave(): void {
    this.#place = undefined;
  }

  /** Returns what was typed before what is shown; undefined at the beginning. */
  older(shown: string): string | undefined {
    // Who changes what was found has something new, from which the way begins again.
    if (this.#place !== undefined && shown !== this.#entries[this.#place]) this.leave();
    if (this.#place === undefined) this.#typed = shown;
    const place = this.#findOther(this.#place ?? this.#entries.length, shown);
    if (place === -1) return undefined;
    this.#place = place;
    return this.#entries[place];
  }

  /** Returns what was typed after what is shown, at last what was being typed. */
  newer(): string | undefined {
    if (this.#place === undefined) return undefined;
    if (this.#place < this.#entries.length - 1) {
      this.#place += 1;
      return this.#entries[this.#place];
    }
    this.leave();
    return this.#typed;
  }

  /** To show the same once more would look as if the key did nothing. */
  #findOther(before: number, shown: string): number {
    for (let place = before - 1; place >= 0; place -= 1) if (this.#entries[place] !== shown) return place;
    return -1;
  }
}

/** Finds the newest entry before a place that has a text in it, whatever the case; -1 where there is none. */
export function searchHistory(entries: readonly string[], query: string, before: number): number {
  const wanted = query.toLowerCase();
  return entries.slice(0, Math.max(0, before)).findLastIndex((entry) => entry.toLowerCase().includes(wanted));
}
