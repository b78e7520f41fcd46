import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { killIfThere } from "./left-process.ts";
import { tempDir } from "./temp-dir.ts";

export interface TerminalOptions {
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A program on a terminal. Killed with its scope. */
export interface Terminal extends AsyncDisposable {
  /** The program's process. */
  readonly pid: number;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Pastes text, with marks around it if the program has asked for them. */
  paste(text: string): Promise<void>;
  /** Presses keys by the names that tmux has for them: `Enter`, `Escape`, `Up`, `C-c`. */
  press(...keys: readonly string[]): Promise<void>;
  /** Presses a key until the terminal shows a text: a program that has just drawn a question may not listen yet. */
  pressUntil(key: string, text: string): Promise<string>;
  /** Returns what the terminal shows, without trailing blanks. */
  screen(): Promise<string>;
  /** Returns the same with the codes of its colours. */
  painted(): Promise<string>;
  /** Returns everything that the terminal has kept, what has scrolled out included. */
  history(): Promise<string>;
  isCursorShown(): Promise<boolean>;
  /** Closes the terminal, as a person closes its window, and waits until the program has ended. */
  close(): Promise<void>;
  /** Gives the terminal another size. */
  resize(columns: number, rows: number): Promise<void>;
  /** Waits until the terminal shows a text, and returns the screen. Fails with the screen if that does not come. */
  waitFor(text: string): Promise<string>;
  /** Waits until the program has ended, and returns its exit code; 128 and more is a signal. */
  ended(): Promise<number>;
}

/** How often, and how many times, is looked before a wait is given up: a minute at least. */
const patience = { interval: 50, times: 1200 };

/** After how many looks in vain a key is pressed again. */
const looksPerPress = 40;

// tmux itself does not always learn how a program ended. A shell that traps interrupts outlives them, its child does not.
const witness = `trap : INT QUIT
sh -c 'echo $$ >"$0/pid"; exec "$@"' "$0" "$@"
echo $? >"$0/exit"`;

/** Starts a program on a terminal of tmux, in a server of its own. */
export async function openTerminal(
  command: readonly [program: string, ...args: string[]],
  { cwd, env, columns = 120, rows = 40 }: TerminalOptions,
): Promise<Terminal> {
  const dir = await tempDir();
  const tmux = async (...args: readonly string[]) => {
    const server = ["-S", dir.join("socket"), "-f", "/dev/null"];
    return (await promisify(execFile)("tmux", [...server, ...args], { env })).stdout.trimEnd();
  };
  // The screen of a program that ended stays to be read.
  const options = ["set-option", "-g", "remain-on-exit", "on", ";", "set-option", "-g", "status", "off", ";"];
  const session = ["new-session", "-d", "-x", String(columns), "-y", String(rows), "-c", cwd];
  await tmux(...options, ...session, "--", "sh", "-c", witness, dir.path, ...command);
  const screen = () => tmux("capture-pane", "-p");

  const until = async <T>(look: () => Promise<T | undefined>, wanted: string): Promise<T> => {
    for (let time = 0; time < patience.times; time += 1) {
      const found = await look();
      if (found !== undefined) return found;
      await sleep(patience.interval);
    }
    throw new Error(`The terminal waited in vain for ${wanted}:\n${await screen()}`);
  };
  const readNumber = async (name: "pid" | "exit") => {
    const content = existsSync(dir.join(name)) ? await readFile(dir.join(name), "utf8") : "";
    return content.endsWith("\n") ? Number(content) : undefined;
  };
  const find = async (text: string) => {
    const code = await readNumber("exit");
    const shown = await screen();
    if (shown.includes(text)) return shown;
    if (code === undefined) return undefined;
    throw new Error(`The program ended with ${code} and did not show ${JSON.stringify(text)}:\n${shown}`);
  };
  const press = async (...keys: readonly string[]) => void (await tmux("send-keys", "--", ...keys));
  const pressUntil = (key: string, text: string) => {
    let looks = 0;
    const look = async () => {
      if (looks % looksPerPress === 0) await press(key);
      looks += 1;
      return find(text);
    };
    return until(look, JSON.stringify(text));
  };
  let isClosed: boolean = false;
  const pid = await until(() => readNumber("pid"), "its program");
  return {
    pid,
    screen,
    painted: () => tmux("capture-pane", "-p", "-e"),
    history: () => tmux("capture-pane", "-p", "-S", "-"),
    isCursorShown: async () => (await tmux("display-message", "-p", "#{cursor_flag}")) === "1",
    close: async () => {
      await tmux("kill-server");
      await until(async () => (isAlive(pid) ? undefined : true), "the end of its program");
      isClosed = true;
    },
    resize: async (width, height) =>
      void (await tmux("resize-window", "-x", String(width), "-y", String(height))),
    type: async (text) => void (await tmux("send-keys", "-l", "--", text)),
    paste: async (text) => void (await tmux("set-buffer", "--", text, ";", "paste-buffer", "-p")),
    press,
    pressUntil,
    waitFor: (text) => until(() => find(text), JSON.stringify(text)),
    ended: () => until(() => readNumber("exit"), "the end of its program"),
    [Symbol.asyncDispose]: async () => {
      if (isClosed) return dir[Symbol.asyncDispose]();
      // It may have ended without having told it yet.
      if ((await readNumber("exit")) === undefined) killIfThere(pid);
      await until(() => readNumber("exit"), "the end of its program");
      await tmux("kill-server");
      await dir[Symbol.asyncDispose]();
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
