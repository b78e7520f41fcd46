import type { Readable, Writable } from "node:stream";
import { Interrupted } from "./interrupted.ts";

/** Asks a question with yes or no on a terminal; no is the default. */
export async function confirmOnTerminal(
  question: string,
  streams: { readonly input: Readable; readonly output: Writable },
): Promise<boolean> {
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message: question, initialValue: false, ...streams });
  if (isCancel(answer)) throw new Interrupted("SIGINT");
  return answer;
}
