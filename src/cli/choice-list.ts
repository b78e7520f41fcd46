/** One of several things to choose from. */
export interface Choice {
  /** One line that fits beside the mark of the list. */
  readonly label: string;
  /** Lines that are shown below it while it is the one that would be chosen. */
  readonly detail: readonly string[];
  /** What a person may type a part of to find it. */
  readonly words: string;
  /** Why it cannot be chosen. */
  readonly refusal: string | undefined;
}

/** Reads what is not known of choices before they are shown: there may be thousands. */
export interface ChoiceReader {
  /** Returns the whole choice with this number; the same at once when it was read before. */
  readonly read: (index: number) => Promise<Choice>;
  /** Returns the numbers of the choices that have what was typed anywhere in them, best first. */
  readonly find: (typed: string) => Promise<readonly number[]>;
}

interface Listeners {
  /** Is called when other choices fit, or more of them is known. */
  readonly onChange: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** So long a person stops typing before what was typed is looked for everywhere. */
const pauseMs = 120;

/** The choices that fit what was typed: at once those that say it themselves, then those in which it is found. */
export class ChoiceList {
  readonly #choices: Choice[];
  readonly #reader: ChoiceReader | undefined;
  readonly #listeners: Listeners;
  /** Those that were shown and are to be read. */
  readonly #seen = new Set<number>();
  readonly #read = new Set<number>();
  #typed = "";
  #fitting: readonly number[] | undefined;
  #found: readonly number[] = [];
  #searching: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  constructor(choices: readonly Choice[], reader: ChoiceReader | undefined, listeners: Listeners) {
    this.#choices = [...choices];
    this.#reader = reader;
    this.#listeners = listeners;
  }

  /** Returns the numbers of the choices that fit. */
  list(typed: string): readonly number[] {
    if (typed !== this.#typed) this.#look(typed);
    if (this.#fitting === undefined) {
      const own = this.#choices.flatMap((choice, index) => (fits(choice, typed) ? [index] : []));
      this.#fitting = [...new Set([...own, ...this.#found])];
    }
    return this.#fitting;
  }

  /** Returns a choice as far as it is known. */
  at(index: number): Choice | undefined {
    return this.#choices[index];
  }

  /** Returns a choice that is shown; more of it is read then. */
  show(index: number): Choice | undefined {
    if (this.#reader !== undefined && !this.#read.has(index)) {
      this.#seen.add(index);
      this.#reading ??= this.#watch(this.#readSeen(this.#reader));
    }
    return this.at(index);
  }

  /** Says how many there are, and how many of them fit. */
  describe(): string {
    const all = this.#choices.length.toLocaleString("en");
    const shown = this.list(this.#typed).length.toLocaleString("en");
    const searching = this.#searching === undefined ? "" : ", searching …";
    return this.#typed.trim() === "" ? `${all} in all` : `${shown} of ${all}${searching}`;
  }

  close(): void {
    clearTimeout(this.#searching);
    this.#typed = "";
    this.#seen.clear();
  }

  #look(typed: string): void {
    clearTimeout(this.#searching);
    const reader = typed.trim() === "" ? undefined : this.#reader;
    this.#searching = reader && setTimeout(() => void this.#watch(this.#find(reader, typed)), pauseMs);
    [this.#typed, this.#found, this.#fitting] = [typed, [], undefined];
  }

  async #find(reader: ChoiceReader, typed: string): Promise<void> {
    const found = await reader.find(typed);
    if (typed !== this.#typed) return;
    [this.#found, this.#fitting, this.#searching] = [found, undefined, undefined];
    this.#listeners.onChange();
  }

  async #readSeen(reader: ChoiceReader): Promise<void> {
    // Those that are shown meanwhile are read too.
    for (const index of this.#seen) {
      this.#choices[index] = await reader.read(index);
      this.#seen.delete(index);
      this.#read.add(index);
    }
    [this.#reading, this.#fitting] = [undefined, undefined];
    this.#listeners.onChange();
  }

  #watch(work: Promise<void>): Promise<void> {
    return work.catch(this.#listeners.onFailure);
  }
}

/** Tells whether a choice has all the words that were typed, each at least as a part. */
function fits(choice: Choice, typed: string): boolean {
  const words = choice.words.toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}
