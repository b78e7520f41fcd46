import type { EntryId } from "../sessions/ids.ts";
import type { Goal } from "./goal.ts";

/** How a command ended. */
export interface CommandResult {
  readonly command: string;
  readonly output: string;
  readonly exitCode?: number;
  /** Whether the client called it a failure; counts where the exit code is not known. */
  readonly failed?: boolean;
  /** Set where the output is not known; it is then empty. */
  readonly isOutputUnknown?: true;
  /** Set where it was only started, in the background. */
  readonly isStarted?: true;
}

/** A command that a session ran, and how it ended. */
export interface RanCommand extends CommandResult {
  readonly at: Date;
  readonly entry: EntryId;
  /** The entry's place in its session, if known. */
  readonly seq?: number;
  /** The folder that it was run in, if known. */
  readonly cwd?: string;
  /** Set for a check that the user approved for a goal: it covers everything of that goal. */
  readonly approvedFor?: Goal;
}
