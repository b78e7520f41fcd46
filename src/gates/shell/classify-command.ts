import { type Classification, unknown } from "./classification.ts";
import { newShell } from "./shell.ts";
import { walkText } from "./walk-script.ts";

/**
 * Says whether a command line of a shell writes files.
 *
 * It is read, never run. What the line alone does not tell is "unknown"; of several parts the worst counts. Never throws,
 * and the cost is bounded for any text.
 */
export function classifyCommand(command: string): Classification {
  const { verdict, why } = readCommand(command);
  return { verdict, why };
}

/** What is known of a command line. */
export interface ReadCommand extends Classification {
  /**
   * The programs that it runs, each with its words behind one blank each and without quotes: what `g''it  commit` and
   * `git -C here commit` run is `git commit`. A word that is decided only when it runs is as long as it is known.
   */
  readonly programs: readonly string[];
}

/** Says the same, and which programs the line runs. */
export function readCommand(command: string): ReadCommand {
  const shell = newShell();
  try {
    return { ...walkText(command, shell), programs: shell.programs };
  } catch {
    // A text nested so deeply that the stack ends must not end a hook.
    return { ...unknown("It could not be read to its end."), programs: shell.programs };
  }
}
