import type { Style } from "../lib/style.ts";
import type { Caller } from "../workspace/workspace.ts";
import type { Choice, ChoiceReader } from "./choice-list.ts";
import type { TextQuestion } from "./confirm.ts";
import type { KeyTerminal } from "./key-terminal.ts";
import type { Program } from "./start-program.ts";

/** What a command may touch. Tests pass their own; nothing below `main.ts` reads `process`. */
export interface CommandContext extends Caller {
  /** The words that start this program again: its Node and its launcher. */
  readonly program: readonly [node: string, launcher: string];
  readonly input: AsyncIterable<Uint8Array>;
  /** Writes to standard output: the answer. */
  readonly out: (text: string) => void;
  /** Writes to standard error: talk. */
  readonly err: (text: string) => void;
  /** Resolves when what was written to standard output has left, so that a stream of any size stays small in memory. */
  readonly drained: () => Promise<void>;
  readonly isTerminal: { readonly input: boolean; readonly output: boolean; readonly error: boolean };
  /** Tells whether this process belongs to a terminal, whatever its streams are. */
  readonly hasOwnTerminal: () => boolean;
  /** The size of the terminal behind standard output; undefined in a pipe. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** Colours for standard output and for standard error. */
  readonly style: Style;
  readonly errorStyle: Style;
  /**
   * Catches SIGINT, SIGTERM, SIGHUP and a closed standard output from now on: the first one aborts with an `Interrupted`.
   *
   * Until it is called they end the process, and so does the second one.
   */
  readonly catchSignals: () => AbortSignal;
  /** Leaves Ctrl-C to the pager, which shares the terminal and would otherwise outlive us in disorder. */
  readonly ignoreInterrupts: () => void;
  /** Asks a question with yes or no on the terminal. */
  readonly confirm: (question: string) => Promise<boolean>;
  /** Lets a person choose on the terminal; returns the number of the choice, undefined when nothing was chosen. */
  readonly choose: (
    question: string,
    choices: readonly Choice[],
    reader?: ChoiceReader,
  ) => Promise<number | undefined>;
  /** Asks for words on the terminal; undefined when the question was left without an answer. */
  readonly askText: (question: TextQuestion) => Promise<string | undefined>;
  /** Runs a program on this terminal until it ends; we end as it did. */
  readonly start: (program: Program) => Promise<void>;
  /** Opens the terminal key by key, for who fills it; only where input and output are one. */
  readonly openTerminal: () => Promise<KeyTerminal>;
  /** Asks for a line on the terminal that is not shown; undefined when none was given. */
  readonly askSecret: (question: string) => Promise<string | undefined>;
}

/** Characters that JSON leaves as they are although a terminal would act on them or show nothing. */
const hidden = /[\x7F-\x9F\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Renders a value as JSON on one line; hidden characters are escaped, which changes their spelling but not the value. */
export function renderJson(value: unknown): string {
  return JSON.stringify(value).replace(hidden, escapeUnits);
}

function escapeUnits(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
