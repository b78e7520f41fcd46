import { type Classification, unknown } from "./shell/classification.ts";
import { newShell, type Shell } from "./shell/shell.ts";
import { walkText } from "./shell/walk-script.ts";

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
  /** Whether something of it may run on when the line has ended, as far as the line itself says so. */
  readonly runsOn: boolean;
}

/** Programs that start others and do not wait for them, or let them outlive the shell. */
const detaching =
  /^(?:nohup|setsid|disown|daemon|daemonize|start-stop-daemon|systemd-run|launchctl|at|batch|crontab|tmux|screen|dtach|abduco|pm2|forever)(?: |$)/;

/** Says the same, and which programs the line runs. */
export function readCommand(command: string): ReadCommand {
  const shell = newShell();
  try {
    return { ...walkText(command, shell), ...toRead(shell) };
  } catch {
    // A text nested so deeply that the stack ends must not end a hook.
    return { ...unknown("It could not be read to its end."), ...toRead(shell) };
  }
}

function toRead({ programs, background }: Shell): Pick<ReadCommand, "programs" | "runsOn"> {
  return { programs, runsOn: background.isUsed || programs.some((program) => detaching.test(program)) };
}
