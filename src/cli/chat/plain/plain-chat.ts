import type { Approval, AskedCall, ChatEvent, Draft, Restored } from "../../../chat/chat.ts";
import { plural } from "../../../lib/describe.ts";
import { readFailed } from "../../../lib/file-error.ts";
import { toPrintable, toPrintableLine } from "../../../lib/printable.ts";
import { messageText } from "../../../sessions/entry.ts";
import { untilAborted } from "../../append/until-aborted.ts";
import { type ChatSetting, type Departure, type HeldChat, runChatCommand } from "../commands/chat-command.ts";
import { findChatCommand } from "../commands/chat-commands.ts";
import { describeRestored } from "../describe-restored.ts";
import { parseInput } from "../parse-input.ts";

/**
 * Yields the lines of an input, one prompt each; a line that ends with a backslash goes on in the next.
 *
 * The last line counts without its end, too.
 */
export async function* readPrompts(
  input: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  let before = "";
  for await (const line of readLines(input)) {
    if (line.endsWith("\\")) before += `${line.slice(0, -1)}\n`;
    else {
      yield before + line;
      before = "";
    }
  }
  if (before !== "") yield before.trimEnd();
}

async function* readLines(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of readChunks(input)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  const last = (rest + decoder.decode()).replace(/\r$/, "");
  if (last !== "") yield last;
}

async function* readChunks(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* input;
  } catch (error) {
    throw readFailed("Standard input", error);
  }
}

/**
 * Where a text can be cut without changing what becomes of its characters: before a space, a line end or a character of a
 * script that has no spaces. Emoji and letters that are joined by characters without a shape stay together.
 */
const places = /[ \t\u3041-\u30FF\u4E00-\u9FFF\uAC00-\uD7A3]|(?<!\r)\n/g;

/** Makes a text printable that comes in pieces; what a piece ends with waits until it is known what follows. */
export class PrintableStream {
  #rest = "";

  /** Takes a piece and returns what can be printed. */
  push(text: string): string {
    const all = this.#rest + text;
    const cut = findLastPlace(all);
    this.#rest = all.slice(cut);
    return toPrintable(all.slice(0, cut));
  }

  /** Returns what is left, and begins anew. */
  end(): string {
    const rest = this.#rest;
    this.#rest = "";
    return toPrintable(rest);
  }
}

function findLastPlace(text: string): number {
  let last = 0;
  for (const { index } of text.matchAll(places)) last = index;
  return last;
}

/** A chat in a pipe: each line that comes in is said, replies go to standard output, everything else to standard error. */
export class PlainChat implements HeldChat {
  readonly columns = undefined;
  readonly #setting: ChatSetting;
  readonly #isAllowed: boolean;
  readonly #text = new PrintableStream();
  #hasText: boolean = false;

  constructor(setting: ChatSetting, { yes }: { readonly yes: boolean }) {
    this.#setting = setting;
    this.#isAllowed = yes;
  }

  /** Says every line. The first error ends it, so that a script learns of it. */
  async run(): Promise<Departure> {
    const { context, chat } = this.#setting;
    const signal = context.catchSignals();
    this.showSession(chat.restored);
    if (context.isTerminal.input) this.#introduce();
    for await (const line of untilAborted(readPrompts(context.input), signal)) {
      if ((await this.#perform(line, signal)) === "leave" || signal.aborted) break;
    }
    return { draft: this.draft(), reason: signal.aborted ? signal.reason : undefined };
  }

  #introduce(): void {
    const { session, model } = this.#setting.chat.status;
    this.note(toPrintableLine(`Carryon chat · ${session} · ${model}`));
    this.note("One prompt a line; /help shows the commands; Ctrl-D ends.");
  }

  tellTrouble(error: unknown): void {
    this.note(`Not saved: ${toPrintableLine(error instanceof Error ? error.message : String(error))}`);
  }

  answer(text: string): void {
    this.#setting.context.out(text.endsWith("\n") ? text : `${text}\n`);
  }

  note(text: string): void {
    this.#setting.context.err(`${text}\n`);
  }

  showSession(restored: Restored): void {
    if (restored.messages > 0) this.note(describeRestored(this.#setting.chat.status, restored));
  }

  /** What was being typed elsewhere stays as it was. */
  draft(): Draft {
    return this.#setting.chat.restored.draft ?? { input: "" };
  }

  lendTerminal(work: () => Promise<void>): Promise<void> {
    return work();
  }

  async #perform(line: string, signal: AbortSignal): Promise<"stay" | "leave"> {
    const input = parseInput(line);
    switch (input.type) {
      case "nothing":
        return "stay";
      case "prompt":
        await this.#say(input.text, signal);
        return "stay";
      case "command": {
        const job = { setting: this.#setting, face: this, rest: input.rest, signal };
        return runChatCommand(findChatCommand(input.name), job);
      }
    }
  }

  async #say(text: string, signal: AbortSignal): Promise<void> {
    const { chat, context } = this.#setting;
    const approve = (asked: AskedCall) => Promise.resolve(this.#approve(asked));
    try {
      for await (const event of chat.say(text, { signal, approve })) {
        this.#on(event);
        await context.drained();
      }
    } finally {
      this.#endText();
    }
  }

  #approve({ description }: AskedCall): Approval {
    if (this.#isAllowed) return "yes";
    this.note(`Declined, because nobody can be asked: ${toPrintableLine(description)} (allow it with --yes)`);
    return "no";
  }

  #on(event: ChatEvent): void {
    switch (event.type) {
      case "text":
        this.#addText(event.text);
        break;
      case "reply-saved":
        // A reply that did not come in pieces is told at its end.
        if (!this.#hasText) this.#addText(messageText(event.message));
        this.#endText();
        if (event.end === "length") this.note("The reply ends because of its limit of tokens.");
        if (event.end === "refused") this.note("The model refused to say more.");
        break;
      case "tool-started":
        this.note(`→ ${toPrintableLine(event.description)}`);
        break;
      case "tool-saved":
        if (event.outcome.failed) this.note(`✗ ${toPrintableLine(event.outcome.output.slice(0, 400))}`);
        break;
      case "retry":
        this.note(`${toPrintableLine(event.reason)} Trying again (${event.attempt} of ${event.attempts}).`);
        break;
      case "compacted":
        this.note(`${plural(event.messages, "older message")} now a summary for the model.`);
        break;
      case "interrupted":
        this.#endText();
        this.note(event.reason === "lost" ? "The connection was lost." : "Stopped.");
        break;
      case "paused":
        this.note(`The model has taken ${event.steps} steps and waits.`);
        break;
      case "prompt-saved":
      case "thinking":
        break;
    }
  }

  #addText(text: string): void {
    if (text === "") return;
    this.#hasText = true;
    this.#setting.context.out(this.#text.push(text));
  }

  #endText(): void {
    if (this.#hasText) this.#setting.context.out(`${this.#text.end()}\n`);
    this.#hasText = false;
  }
}
