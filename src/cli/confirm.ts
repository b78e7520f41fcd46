import type { Readable, Writable } from "node:stream";
import { Interrupted } from "./interrupted.ts";

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Asks a question with yes or no on a terminal. No is the default, and what Esc, Ctrl-D and the end of the input mean. */
export async function confirmOnTerminal(question: string, streams: Streams): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await askOn(streams, (options) =>
    confirm({ message: question, initialValue: false, ...options }),
  );
  return isCancel(answer) ? false : answer;
}

/** One of several things to choose from. */
export interface Choice {
  readonly label: string;
  readonly hint: string;
}

/** Lets a person choose on a terminal; returns the number of the choice, undefined after Esc or Ctrl-D. */
export async function chooseOnTerminal(
  question: string,
  choices: readonly Choice[],
  streams: Streams,
): Promise<number | undefined> {
  const { select, isCancel } = await import("@clack/prompts");
  const options = choices.map((choice, value) => ({ ...choice, value }));
  const answer = await askOn(streams, (asked) => select({ message: question, options, ...asked }));
  return isCancel(answer) ? undefined : answer;
}

/** Asks for a line that is not shown while it is typed; undefined after Esc, Ctrl-D or the end of the input. */
export async function askSecretOnTerminal(question: string, streams: Streams): Promise<string | undefined> {
  const { password, isCancel } = await import("@clack/prompts");
  const answer = await askOn(streams, (options) => password({ message: question, ...options }));
  return isCancel(answer) ? undefined : answer;
}

async function askOn<Answer>(
  streams: Streams,
  ask: (options: Streams & { readonly signal: AbortSignal }) => Promise<Answer>,
): Promise<Answer> {
  const { settings } = await import("@clack/prompts");
  const { input } = streams;
  // The prompt would take Esc for a move to the other answer before it takes it for the end.
  settings.aliases.delete("escape");
  const ending = new AbortController();
  // The prompt does not notice the end of its input; it is ended after it has dealt with the key itself.
  const end = () => void setImmediate(() => ending.abort());
  let isInterrupted = false;
  const onKey = (_text: string | undefined, key: Key) => {
    if (key.ctrl && key.name === "c") isInterrupted = true;
    if (key.name === "escape" || (key.ctrl && key.name === "d")) end();
  };
  input.on("keypress", onKey).once("end", end).once("close", end);
  try {
    const answer = await ask({ ...streams, signal: ending.signal });
    if (isInterrupted) throw new Interrupted("SIGINT");
    return answer;
  } finally {
    input.off("keypress", onKey).off("end", end).off("close", end);
  }
}
