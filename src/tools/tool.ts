import { AppError } from "../lib/app-error.ts";
import type { Json, JsonObject } from "../sessions/entry.ts";

/** What a tool does to the world: a person is asked before one that writes or runs something. */
export type Effect = "reads" | "writes" | "runs";

/** What became of a call. A failure is told to the model, which may do better; it is not an error of ours. */
export interface ToolOutcome {
  readonly output: string;
  readonly failed: boolean;
}

/** What a tool works with. */
export interface ToolSurroundings {
  /** The folder that it is confined to, by its real path. */
  readonly folder: string;
  /** Real paths below the folder that no tool reads or writes, such as the home of Carryon. */
  readonly withheld: readonly string[];
  /** The environment of commands that are run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly limits: ToolLimits;
  readonly onOutput?: OutputListener | undefined;
}

/** Hears what a command prints while it runs, piece by piece; whole characters, unlike what the model is given never cut. */
export type OutputListener = (text: string) => void;

export interface ToolLimits {
  /** How long a command may run, or a search. */
  readonly commandMs: number;
  /** How many characters of an output the model is given, about; it is told how much is left out. */
  readonly outputCharacters: number;
  /** How large a file may be that is read or edited. */
  readonly fileBytes: number;
}

/** One thing that a model may do. */
export interface Tool {
  readonly name: string;
  readonly effect: Effect;
  /** For the model: what it does, and when to use it. */
  readonly description: string;
  /** A JSON Schema of type object. */
  readonly input: JsonObject;
  /** Says in one line what a call would do, for people: `write src/a.ts (12 lines)`. Any input has one. */
  describe(input: Json): string;
  /** Shows what a call would change, such as the lines of a diff, or why it would fail; undefined where there is nothing to show. */
  preview(input: Json, surroundings: ToolSurroundings): Promise<string | undefined>;
  /**
   * Does it. Bad input, a path outside of the folder and a failed command are outcomes. An abort is thrown, but for a command
   * that had begun: what it had printed is its outcome.
   */
  run(input: Json, surroundings: ToolSurroundings): Promise<ToolOutcome>;
}

/** The tools that a conversation has. */
export interface Toolbox {
  readonly tools: readonly Tool[];
  /** Returns the tool with a name; undefined where there is none. */
  find(name: string): Tool | undefined;
  /** Shows what a call would change, or why it would fail; undefined where there is nothing to show. Never throws. */
  preview(name: string, input: Json): Promise<string | undefined>;
  /** Does a call. A tool that there is not is a failed outcome; an abort is thrown. */
  run(name: string, input: Json, signal: AbortSignal, onOutput?: OutputListener): Promise<ToolOutcome>;
}

/** Says to a model why a call is not done, and what it may do instead. It becomes the outcome of the call. */
export class ToolRefused extends AppError {
  constructor(message: string, cause?: unknown) {
    super(message, { kind: "usage", code: "tool-refused", cause });
  }
}
