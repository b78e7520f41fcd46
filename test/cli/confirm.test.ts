import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  askSecretOnTerminal,
  askTextOnTerminal,
  confirmOnTerminal,
  type TextQuestion,
} from "../../src/cli/confirm.ts";
import { Interrupted } from "../../src/cli/interrupted.ts";

/** Asks, presses keys once the question is there, and returns the answer, what was shown and what the cursor was told last. */
async function press(ask: typeof confirmOnTerminal | typeof askSecretOnTerminal, ...keys: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const asked = new Promise((resolve) => output.once("data", resolve));
  const shown = text(output);
  const answer = ask("Well?", { input, output }).catch((error: unknown) => error);
  await asked;
  for (const key of keys) input.write(key);
  if (keys.length === 0) input.end();
  const result = await answer;
  output.end();
  return { result, shown: await shown, cursor: (await shown).match(/\[\?25[hl]/g)?.at(-1) };
}

it.each([
  { case: "Ctrl-D", keys: ["\u0004"], result: false },
  { case: "Esc", keys: ["\u001b"], result: false },
  { case: "the end of the input", keys: [], result: false },
  { case: "Return", keys: ["\r"], result: false },
  { case: "n", keys: ["n"], result: false },
  { case: "y", keys: ["y"], result: true },
  { case: "Ctrl-C", keys: ["\u0003"], result: expect.any(Interrupted) },
])("$case is an answer that leaves the cursor visible", async ({ keys, result }) => {
  expect(await press(confirmOnTerminal, ...keys)).toMatchObject({ result, cursor: "[?25h" });
});

it.each([
  { case: "a line", keys: ["hunter22", "\r"], result: "hunter22" },
  { case: "Ctrl-D", keys: ["hunter22", "\u0004"], result: undefined },
  { case: "Esc", keys: ["hunter22", "\u001b"], result: undefined },
  { case: "the end of the input", keys: [], result: undefined },
  { case: "Ctrl-C", keys: ["hunter22", "\u0003"], result: expect.any(Interrupted) },
])("$case is an answer to a question for a secret, which is not shown", async ({ keys, result }) => {
  const { shown, ...answer } = await press(askSecretOnTerminal, ...keys);
  expect(answer).toEqual({ result, cursor: "[?25h" });
  expect(shown).not.toContain("hunter");
});

it("ends when the process is asked to stop, with the reason and a cursor that can be seen", async () => {
  const stop = new AbortController();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = new Promise((resolve) => output.once("data", resolve));
  const shown = text(output);
  const answer = confirmOnTerminal("Well?", { input, output, signal: stop.signal });
  await asked;
  stop.abort(new Interrupted("SIGTERM"));
  await expect(answer).rejects.toMatchObject({ signal: "SIGTERM" });
  output.end();
  expect((await shown).match(/\[\?25[hl]/g)?.at(-1)).toBe("[?25h");
});

/** Asks for words, types, and returns the answer, and what the terminal was told and has left on it. */
async function answer(
  question: Partial<TextQuestion>,
  type: readonly (string | Uint8Array)[] | ((input: PassThrough) => Promise<void>),
) {
  const modes: boolean[] = [];
  const terminal = { isTTY: true, setRawMode: (mode: boolean) => void modes.push(mode) };
  const input = Object.assign(new PassThrough(), terminal);
  const before = input.eventNames();
  const output = new PassThrough();
  const shown = text(output);
  const asked = { message: "Well?", initial: "", lines: "many", ...question } as const;
  const answered = askTextOnTerminal(asked, { input, output }).catch((error: unknown) => error);
  if (typeof type === "function") await type(input);
  else for (const each of type) input.write(each);
  const result = await answered;
  output.end();
  expect(input.eventNames()).toEqual(before);
  expect({ first: modes[0], last: modes.at(-1) }).toEqual({ first: true, last: false });
  const marking = (await shown).match(/\[\?2004[hl]/g);
  expect(marking).toEqual(["[?2004h", "[?2004l"]);
  return result;
}

const paste = (pasted: string) => `\u001b[200~${pasted}\u001b[201~`;
const many = { lines: "many" } as const;
const one = { lines: "one" } as const;

describe("a question for words", () => {
  it.each([
    { case: "lines that an empty one ends", question: many, keys: ["a\rb\r", "\r"], result: "a\nb" },
    { case: "one line", question: one, keys: ["a b", "\r"], result: "a b" },
    { case: "one Return where nothing is there", question: many, keys: ["\r"], result: "" },
    { case: "one Return", question: { ...many, initial: "a\nb" }, keys: ["\r"], result: "a\nb" },
    { case: "a new line", question: { ...many, initial: "a" }, keys: ["b\r", "\r"], result: "a\nb" },
    { case: "more of one line", question: { ...one, initial: "a" }, keys: ["b\r"], result: "ab" },
    {
      case: "an empty line above",
      question: many,
      keys: ["a\u001b[D", "\r", "\r", "\u001b[C", "\r\r"],
      result: "\n\na",
    },
    { case: "characters of two units", question: many, keys: ["a😀b", "\r\r"], result: "a😀b" },
    { case: "half a character", question: many, keys: ["a😀\u007f", "\r\r"], result: "a" },
    { case: "a control character", question: many, keys: ["a\u0001b", "\r\r"], result: "ab" },
    { case: "Ctrl-D", question: many, keys: ["a", "\u0004"], result: undefined },
    { case: "Esc", question: many, keys: ["a", "\u001b"], result: undefined },
    { case: "Esc in one line", question: one, keys: ["a", "\u001b"], result: undefined },
    { case: "Ctrl-C", question: many, keys: ["a", "\u0003"], result: expect.any(Interrupted) },
  ])("takes $case", async ({ question, keys, result }) => {
    expect(await answer(question, keys)).toEqual(result);
  });

  it("is ended by the end of its input, and by a terminal that is gone", async () => {
    expect(await answer(many, async (input) => void input.end("a"))).toBeUndefined();
    expect(await answer(many, async (input) => void input.destroy())).toBeUndefined();
  });

  it.each([
    { case: "lines", question: many, keys: [paste("A\rB\r\rC\r\nD"), "\r\r"], result: "A\nB\nC\nD" },
    { case: "lines with an end", question: many, keys: [paste("A\nB\n"), "\r"], result: "A\nB" },
    { case: "lines as one", question: one, keys: [paste("A\rB\r\rC"), "\r"], result: "A B C" },
    {
      case: "tabs and line ends of all kinds",
      question: one,
      keys: [paste("a\tb\u2028c\fd"), "\r"],
      result: "a b c d",
    },
    {
      case: "two below what is there",
      question: { ...many, initial: "a" },
      keys: [paste("b😀"), " c\r", paste("😀d"), "e", "\r\r"],
      result: "a\nb😀 c\n😀de",
    },
    {
      case: "lines into the middle",
      question: many,
      keys: ["ad\u001b[D", paste("b😀\nc"), "\u001b[C", "\r\r"],
      result: "ab😀\ncd",
    },
    {
      case: "nothing that commands",
      question: many,
      keys: [paste("a\u0003b\u0004\u001b[31mc\u001b[Ad\u001b"), "\r\r"],
      result: "abcd",
    },
    { case: "nothing", question: many, keys: [paste(""), "\r"], result: "" },
  ])("takes a paste of $case", async ({ question, keys, result }) => {
    expect(await answer(question, keys)).toEqual(result);
  });

  it("takes any lines of a paste, wherever it is cut", async () => {
    // The separators of lines and paragraphs end a line, too.
    const line = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 10 })
      .filter((text) => !/[\u2028\u2029]/.test(text));
    const lines = fc.array(line, { minLength: 1, maxLength: 5 });
    const ends = fc.constantFrom("\r", "\n", "\r\n", "\r\r");
    const cuts = fc.array(fc.nat(100));
    await fc.assert(
      fc.asyncProperty(lines, ends, cuts, async (texts, end, places) => {
        const bytes = Buffer.from(paste(texts.join(end)));
        const at = [0, ...places.filter((place) => place < bytes.length).sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((place, index) => bytes.subarray(at[index], place));
        expect(await answer(many, [...pieces, "\r\r"])).toBe(texts.join("\n"));
      }),
    );
  });

  it("takes the end of a paste whose Esc comes long before its rest", async () => {
    const type = async (input: PassThrough) => {
      input.write("\u001b[200~a\u001b");
      await sleep(200);
      input.write("[201~\r\r");
    };
    expect(await answer(many, type)).toBe("a");
  });
});
