import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { hookWord, launchFile } from "../lib/hook-files.ts";

/** How Carryon is started. */
export interface Launch {
  readonly node: string;
  readonly launcher: string;
}

/** Who starts Carryon, and where. */
export interface LaunchSite {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Returns how Carryon is started; undefined where that is not known, or what is known has gone. */
export function readLaunch(home: string): Launch | undefined {
  const path = join(home, "bin", launchFile);
  if (!isThere(path)) return undefined;
  const { node, launcher } = (JSON.parse(readFileSync(path, "utf8")) ?? {}) as Partial<Launch>;
  if (typeof node !== "string" || typeof launcher !== "string") return undefined;
  return isThere(node) && isThere(launcher) ? { node, launcher } : undefined;
}

/** Returns where Carryon runs when a hook starts it. */
export function placeOf({ home, cwd, env }: LaunchSite) {
  return { cwd: isFolder(cwd) ? cwd : home, env: { ...env, CARRYON_HOME: home }, windowsHide: true };
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** A question to Carryon itself. */
export interface Question extends LaunchSite {
  /** What is asked: the name of an event, or `trust`. */
  readonly what: string;
  readonly input: string;
  /** How long the client waits at most. */
  readonly withinMs: number;
}

/**
 * Starts Carryon and returns the line that it answers with; undefined where it is not known how to start it.
 *
 * Its answer is not its end: what the client need not wait for, it does after it. Throws when there is no answer in time.
 */
export function askCarryon(question: Question): Promise<string | undefined> {
  const launch = readLaunch(question.home);
  if (launch === undefined) return Promise.resolve(undefined);
  const child = startCarryon(launch, question, "pipe");
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`Carryon did not answer ${question.what} in time`));
    const timer = setTimeout(late, question.withinMs);
    let [said, why] = ["", ""];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("\n")) resolve(said.slice(0, said.indexOf("\n")));
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      why += text;
    });
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      reject(new Error(`Carryon had no answer to ${question.what}, and ended with ${code}: ${why}`));
    });
  });
}

/** Asks the same, and does not wait for what becomes of it. */
export function leaveToCarryon(question: Omit<Question, "withinMs">): void {
  const launch = readLaunch(question.home);
  if (launch === undefined) return;
  const child = startCarryon(launch, question, "ignore");
  // Whoever begins the next session catches up.
  child.on("error", () => undefined);
  child.unref();
}

/** What it says is piped to us, or ignored: it must not end when nobody is left to hear it. */
function startCarryon(
  { node, launcher }: Launch,
  question: Omit<Question, "withinMs">,
  said: "pipe" | "ignore",
) {
  const child = process
    .getBuiltinModule("node:child_process")
    .spawn(node, [launcher, hookWord, question.what], {
      ...placeOf(question),
      detached: true,
      stdio: ["pipe", said, said],
    });
  // One that ends before it has read everything says so with its code.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(question.input);
  return child;
}
