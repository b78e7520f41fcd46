import type { Readable, Writable } from "node:stream";
import { toPrintableLine } from "../lib/printable.ts";
import { Interrupted } from "./interrupted.ts";

interface Key {
  readonly name?: string;
  readonly ctrl?: boolean;
}

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
  /** Ends the question, whose reason is then thrown: a process that is asked to stop does not wait for an answer. */
  readonly signal?: AbortSignal;
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
  /** One line that fits beside the mark of the list. */
  readonly label: string;
  /** Lines that are shown below it while it is the one that would be chosen. */
  readonly detail: readonly string[];
  /** What a person may type a part of to find it. */
  readonly words: string;
  /** Why it cannot be chosen. */
  readonly refusal: string | undefined;
}

/** Makes a choice that is found by its label. */
export function toChoice(words: string, detail: readonly string[] = []): Choice {
  const label = toPrintableLine(words);
  return { label, detail: detail.map(toPrintableLine), words, refusal: undefined };
}

/** Lets a person choose on a terminal, typing to find; returns the number of the choice, undefined after Esc or Ctrl-D. */
export async function chooseOnTerminal(
  question: string,
  choices: readonly Choice[],
  streams: Streams,
): Promise<number | undefined> {
  const { autocomplete, isCancel } = await import("@clack/prompts");
  let highlighted: string | undefined;
  // The list asks for the labels each time it is drawn.
  const options = choices.map(({ label, detail }, index) => ({
    value: String(index),
    get label() {
      return highlighted === this.value ? [label, ...detail.map((line) => `  ${line}`)].join("\n") : label;
    },
  }));
  const first = choices.findIndex(({ refusal }) => refusal === undefined);
  const choiceOf = (value: unknown) => choices[Number(value)];
  const answer = await askOn(streams, (asked) =>
    autocomplete<string>({
      message: question,
      options() {
        highlighted = this.state === "submit" ? undefined : this.focusedValue;
        return options;
      },
      ...(first === -1 ? {} : { initialValue: String(first) }),
      filter: (text, { value }) => fits(choiceOf(value), text),
      validate: (value) => (value === undefined ? "Nothing fits what you typed." : choiceOf(value)?.refusal),
      ...asked,
    }),
  );
  return isCancel(answer) || answer === undefined ? undefined : Number(answer);
}

/** Tells whether a choice has all the words that were typed, each at least as a part. */
function fits(choice: Choice | undefined, typed: string): boolean {
  const words = choice?.words.toLowerCase() ?? "";
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word));
}

/** A question that is answered in words. */
export interface TextQuestion {
  readonly message: string;
  /** What stands there to be changed. */
  readonly initial: string;
  /** Whether an answer may have several lines; Return on an empty one ends it. */
  readonly lines: "one" | "many";
}

/**
 * Asks for words on a terminal; undefined after Esc, Ctrl-D or the end of the input.
 *
 * In an answer of several lines the cursor begins on a line of its own.
 */
export async function askTextOnTerminal(
  { message, initial, lines }: TextQuestion,
  { input: terminal, output }: Streams,
): Promise<string | undefined> {
  const { text, multiline, isCancel } = await import("@clack/prompts");
  const { AnswerInput, pasteMarking } = await import("./answer-input.ts");
  const prompt = lines === "one" ? text : multiline;
  const initialValue = lines === "one" || initial === "" ? initial : `${initial}\n`;
  const input = new AnswerInput(terminal, { initial: initialValue, lines });
  output.write(pasteMarking.on);
  try {
    const answer = await askOn({ input, output }, (options) => prompt({ message, initialValue, ...options }));
    return isCancel(answer) ? undefined : toText(answer ?? "");
  } finally {
    output.write(pasteMarking.off);
    input.release();
  }
}

/** The prompt takes keys such as Ctrl-A for text, and Backspace takes half a character away. */
function toText(answer: string): string {
  return answer.replace(/[^\n\t\P{Cc}]|\p{Cs}/gu, "");
}

/** Asks for a line that is not shown while it is typed; undefined after Esc, Ctrl-D or the end of the input. */
export async function askSecretOnTerminal(question: string, streams: Streams): Promise<string | undefined> {
  const { password, isCancel } = await import("@clack/prompts");
  const answer = await askOn(streams, (options) => password({ message: question, ...options }));
  return isCancel(answer) ? undefined : answer;
}

async function askOn<Answer>(
  { input, output, signal }: Streams,
  ask: (options: Required<Streams>) => Promise<Answer>,
): Promise<Answer> {
  const { settings } = await import("@clack/prompts");
  signal?.throwIfAborted();
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
  signal?.addEventListener("abort", end);
  try {
    const answer = await ask({ input, output, signal: ending.signal });
    signal?.throwIfAborted();
    if (isInterrupted) throw new Interrupted("SIGINT");
    return answer;
  } finally {
    input.off("keypress", onKey).off("end", end).off("close", end);
    signal?.removeEventListener("abort", end);
  }
}
