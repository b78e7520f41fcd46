import type { Readable, Writable } from "node:stream";
import { toPrintableLine } from "../lib/printable.ts";
import { type Choice, ChoiceList, type ChoiceReader } from "./choice-list.ts";
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

/** Makes a choice that is found by its label. */
export function toChoice(words: string, detail: readonly string[] = []): Choice {
  const label = toPrintableLine(words);
  return { label, detail: detail.map(toPrintableLine), words, refusal: undefined };
}

/** The list as its drawing sees it. */
interface DrawnList {
  readonly state: string;
  readonly userInput: string;
  emit(event: "userInput", typed: string): void;
}

/**
 * Lets a person choose on a terminal, typing to find; returns the number of the choice, undefined after Esc or Ctrl-D.
 *
 * With a reader the choices need not be whole, and the question says how many there are.
 */
export async function chooseOnTerminal(
  question: string,
  choices: readonly Choice[],
  streams: Streams,
  reader?: ChoiceReader,
): Promise<number | undefined> {
  const { autocomplete, isCancel } = await import("@clack/prompts");
  let drawn: DrawnList | undefined;
  let highlighted: string | undefined;
  const isOver = () => drawn?.state === "submit" || drawn?.state === "cancel";
  const failing = new AbortController();
  const list = new ChoiceList(choices, reader, {
    onChange: () => {
      if (drawn === undefined || isOver()) return;
      // The list filters anew only when other words are typed, and draws anew when its terminal changes.
      for (const typed of ["\0", drawn.userInput]) drawn.emit("userInput", typed);
      streams.output.emit("resize");
    },
    onFailure: (error) => failing.abort(error),
  });
  // The list asks for the labels of those that it draws.
  const options = choices.map((_choice, index) => ({
    value: String(index),
    get label() {
      const { label = "", detail = [] } = list.show(index) ?? {};
      return highlighted === this.value ? [label, ...detail.map((line) => `  ${line}`)].join("\n") : label;
    },
  }));
  const first = choices.findIndex(({ refusal }) => refusal === undefined);
  const signal = AbortSignal.any([failing.signal, ...(streams.signal === undefined ? [] : [streams.signal])]);
  try {
    const answer = await askOn({ ...streams, signal }, (asked) =>
      autocomplete<string>({
        get message() {
          return reader === undefined || isOver() ? question : `${question} ${list.describe()}`;
        },
        options() {
          drawn = this;
          highlighted = isOver() ? undefined : this.focusedValue;
          return list.list(this.userInput).flatMap((index) => options[index] ?? []);
        },
        ...(first === -1 ? {} : { initialValue: String(first) }),
        filter: () => true,
        validate: (value) =>
          value === undefined ? "Nothing fits what you typed." : list.at(Number(value))?.refusal,
        ...asked,
      }),
    );
    return isCancel(answer) || answer === undefined ? undefined : Number(answer);
  } finally {
    list.close();
  }
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
