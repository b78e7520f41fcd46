import { hookWord } from "../lib/hook-files.ts";
import { type Launch, type LaunchSite, placeOf, readLaunch } from "./launch.ts";

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
