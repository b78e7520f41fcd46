import type { Clock } from "../lib/clock.ts";
import type { Surroundings } from "../workspace/open-project.ts";

/** What a command of Carryon said, and what it failed with, if it did. */
export interface CommandAnswer {
  readonly out: string;
  /** What it said beside its answer: warnings and reasons. */
  readonly talk: string;
  readonly error?: unknown;
}

/** The commands that tools stand for. */
export type CommandName = "blocker" | "brief" | "decide" | "gate" | "handover" | "load" | "note" | "save";

/** What the program that starts the server lends it: a tool does what the command of the same name does. */
export interface Host {
  /** The version of this package. */
  readonly version: string;
  readonly clock: Clock;
  /** Says where we are, at this moment; throws where the folder is gone. */
  readonly locate: () => Surroundings;
  /** Takes in what clients have written since the last time, and returns what is to be said of it. */
  readonly catchUp: () => Promise<string>;
  /** Returns the id of the session that the client is in; undefined where that is not known. */
  readonly findCaller: () => Promise<string | undefined>;
  /** Runs a command in the session of the client; it asks nobody, and what it fails with is part of its answer. */
  readonly run: (name: CommandName, words: readonly string[], signal: AbortSignal) => Promise<CommandAnswer>;
}
