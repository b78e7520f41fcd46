import type { Readable, Writable } from "node:stream";
import { Interrupted } from "./interrupted.ts";

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

/** Asks a question with yes or no on a terminal. No is the default, and what Esc, Ctrl-D and the end of the input mean. */
export async function confirmOnTerminal(
  question: string,
  streams: { readonly input: Readable; readonly output: Writable },
): Promise<boolean> {
  const { confirm, isCancel, settings } = await import("@clack/prompts");
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
    const answer = await confirm({
      message: question,
      initialValue: false,
      signal: ending.signal,
      ...streams,
    });
    if (isInterrupted) throw new Interrupted("SIGINT");
    return isCancel(answer) ? false : answer;
  } finally {
    input.off("keypress", onKey).off("end", end).off("close", end);
  }
}
