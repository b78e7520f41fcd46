/** Where in a line a command stands, as far as its blocks tell: brackets, branches and loops. */
export interface Place {
  /** Whether the line may succeed without it: it stands behind `||`, in a branch or in a loop. */
  readonly mayBeSkipped: boolean;
  /** Whether a branch or loop only asks how it ended. */
  readonly isCondition: boolean;
  /** Whether `exit` ends no more than the brackets around it. */
  readonly isInSubshell: boolean;
}

interface Block {
  readonly end: string;
  /** The number of the pipeline that it begins with. */
  readonly from: number;
  /** Where the block itself stands. */
  readonly outside: Place;
  /** Where what is read next stands. */
  inside: Place;
}

const topLevel: Place = { mayBeSkipped: false, isCondition: false, isInSubshell: false };

const ends = new Map(
  Object.entries({
    ...{ "(": ")", "{": "}", if: "fi", case: "esac" },
    ...{ while: "done", until: "done", for: "done" },
  }),
);
const openers: ReadonlySet<string> = new Set(["{", "if", "while", "until"]);
const others: ReadonlySet<string> = new Set(["then", "else", "elif", "do", "fi", "done", "esac", "}"]);

/** Tells whether a word at the start of a command is one that only opens a block. */
export const opensBlock = (word: string): boolean => openers.has(word);

/** Tells whether a word at the start of a command belongs to a block, so that the command begins behind it. */
export const isBlockWord = (word: string): boolean => opensBlock(word) || others.has(word);

/** The blocks that are open at a place of a line. */
export class ShellBlocks {
  readonly #open: Block[] = [];

  /** Opens a block with its first word, which is skipped whole if it stands behind `||`. */
  open(word: string, from: number, { isSkipped }: { readonly isSkipped: boolean }): void {
    const outside = this.place();
    const inside: Place = {
      mayBeSkipped: outside.mayBeSkipped || isSkipped || word === "case",
      isCondition: outside.isCondition || (openers.has(word) && word !== "{"),
      isInSubshell: outside.isInSubshell || word === "(",
    };
    this.#open.push({ end: ends.get(word) ?? "", from, outside, inside });
  }

  /** Follows a word inside a block or at its end; returns where the block began that it closes. */
  follow(word: string): number | undefined {
    const block = this.#open.at(-1);
    if (block === undefined || !/^(?:then|else|elif|do)$/.test(word)) return this.close(word);
    const isCondition = block.outside.isCondition || word === "elif";
    block.inside = { ...block.inside, mayBeSkipped: true, isCondition };
    return undefined;
  }

  /** Closes the innermost block if this is its end, and returns where it began: `a)` of a `case` closes none. */
  close(end: string): number | undefined {
    return this.#open.at(-1)?.end === end ? this.#open.pop()?.from : undefined;
  }

  /** Returns where what is read next stands. */
  place(): Place {
    return this.#open.at(-1)?.inside ?? topLevel;
  }
}
