import { writeSync } from "node:fs";
import { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui";

/** The terminal that this process runs on, key by key. */
export interface KeyTerminal {
  readonly terminal: Terminal;
  /** Stops this process and those that it was started with, as Ctrl-Z does, until they are continued. */
  suspend(): Promise<void>;
}

/** No update is pending, pastes are not marked, keys are told as usual, and the cursor is seen. */
const restoring = "\u001B[?2026l\u001B[?2004l\u001B[<u\u001B[>4;0m\u001B[?25h\r\n";

/** A process that nobody can stop goes on after this. */
const stoppedWithinMs = 100;

/** Makes the terminal of this process, which is given back as it was, whatever ends the process. */
export function openKeyTerminal(onGone: () => void): KeyTerminal {
  const terminal = new OwnTerminal();
  const { stdin } = process;
  // A terminal that is closed ends the input, with an error or without one.
  stdin.on("error", onGone).on("end", onGone);
  process.on("exit", () => terminal.restore());
  return {
    terminal,
    suspend: () =>
      new Promise((resolve) => {
        // Windows has nothing of the kind.
        if (process.platform !== "win32") process.kill(0, "SIGTSTP");
        setTimeout(resolve, stoppedWithinMs);
      }),
  };
}

class OwnTerminal extends ProcessTerminal {
  #isStarted: boolean = false;

  override start(onInput: (data: string) => void, onResize: () => void): void {
    this.#isStarted = true;
    super.start(onInput, onResize);
  }

  override stop(): void {
    this.#isStarted = false;
    super.stop();
  }

  /** Gives the terminal back at the end of a process that did not come to it. */
  restore(): void {
    if (!this.#isStarted) return;
    this.#isStarted = false;
    try {
      writeSync(process.stdout.fd, restoring);
    } catch {
      // There is no terminal any more.
    }
  }
}
