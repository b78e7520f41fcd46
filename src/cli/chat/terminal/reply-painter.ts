import { stripVTControlCharacters } from "node:util";
import type { Component } from "@earendil-works/pi-tui";
import type { ChatEvent } from "../../../chat/chat.ts";
import { plural } from "../../../lib/describe.ts";
import { toPrintable, toPrintableLine } from "../../../lib/printable.ts";
import type { Style } from "../../../lib/style.ts";
import { truncate, wrap } from "../../../lib/terminal-text.ts";
import { messageText, type ToolCallPart } from "../../../sessions/entry.ts";
import { saysAll } from "../../render-preview.ts";
import {
  type Block,
  callBlock,
  noteBlock,
  outcomeBlock,
  previewBlock,
  promptBlock,
  replyBlock,
  summaryBlock,
  thinkingBlock,
} from "./blocks.ts";
import { ReplyText } from "./reply-text.ts";
import { renderMarkdown } from "./theme.ts";

/** Where a turn is drawn. */
export interface Canvas {
  print(block: Block): void;
  readonly rows: () => number;
}

/** How many lines of thinking are seen while it goes on. */
const thinkingLines = 3;

/** How many lines of what a command prints are seen while it runs. */
const outputLines = 5;

/** More of it is not on any screen. */
const mostOutput = 8000;

/** What is left on the screen for the line editor and what stands below it. */
const reservedRows = 10;

const cutOff = {
  stopped: "Stopped. What had come is kept, marked as cut off.",
  lost: "The connection was lost. What had come is kept, marked as cut off.",
  nothing: "Stopped.",
} as const;

const endings = {
  length: "The reply ends here because of its limit of tokens.",
  refused: "The model refused to say more.",
} as const;

/**
 * Draws a turn: what is certain is printed, the rest is shown below it until it is.
 *
 * The end of a reply has a mark until the reply is on disk.
 */
export class ReplyPainter implements Component {
  readonly #canvas: Canvas;
  readonly #style: Style;
  #prompt = "";
  #thinking = "";
  readonly #text = new ReplyText();
  #hasText: boolean = false;
  #call: ToolCallPart | undefined;
  /** The end of what the command that runs has printed. */
  #output = "";
  #notice = "";
  #rendered: { readonly text: string; readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(canvas: Canvas, style: Style) {
    this.#canvas = canvas;
    this.#style = style;
  }

  /** Says what is going on, in a few words. */
  get activity(): string {
    if (this.#notice !== "") return this.#notice;
    if (this.#call !== undefined) return "Running";
    if (this.#hasText) return "Replying";
    return this.#thinking === "" ? "Waiting" : "Thinking";
  }

  /** Begins with what was said, which is not saved yet. */
  begin(prompt: string): void {
    this.#prompt = prompt;
  }

  /** Shows a call that waits for an answer. */
  ask(call: ToolCallPart, description: string, preview: string | undefined): void {
    this.#flush();
    this.#call = call;
    this.#canvas.print(callBlock(description, this.#style));
    if (preview !== undefined && !saysAll(description, preview))
      this.#canvas.print(previewBlock(preview, this.#style));
  }

  /** Shows what the command that runs has printed since. */
  addOutput(text: string): void {
    // Only the end is seen: more is not kept.
    this.#output = (this.#output + text).slice(-mostOutput);
  }

  on(event: ChatEvent): void {
    this.#notice = event.type === "retry" ? describeRetry(event) : "";
    switch (event.type) {
      case "prompt-saved":
        this.#savePrompt();
        break;
      case "thinking":
        this.#thinking += event.text;
        break;
      case "text":
        this.#addText(event.text);
        break;
      case "retry":
        break;
      case "compacted":
        this.#tellCompacted(event.messages, event.summary);
        break;
      case "reply-saved":
        // A reply that did not come in pieces is told at its end.
        if (!this.#hasText) this.#addText(messageText(event.message));
        this.#flush();
        if (event.end === "length" || event.end === "refused") this.#note(endings[event.end]);
        break;
      case "tool-started":
        this.#startCall(event.call, event.description);
        break;
      case "tool-saved":
        this.#startCall(event.call, event.call.name);
        this.#canvas.print(outcomeBlock(event.outcome, this.#style));
        this.#endCall();
        break;
      case "interrupted":
        this.#flush();
        this.#note(event.entry === undefined ? cutOff.nothing : cutOff[event.reason]);
        break;
      case "paused":
        this.#flush();
        this.#note(`The model has taken ${event.steps} steps and waits. Whatever you say lets it go on.`);
        break;
    }
  }

  /** Ends the turn, also where it failed; what is still shown is printed. Returns a prompt that was not saved. */
  end(): string {
    const unsaved = this.#prompt;
    this.#prompt = "";
    this.#flush();
    this.#endCall();
    this.#notice = "";
    return unsaved;
  }

  render(width: number): string[] {
    const lines = [
      ...(this.#prompt === "" ? [] : promptBlock(this.#prompt, this.#style)(width)),
      ...this.#renderThinking(width),
      ...this.#renderText(width),
      ...this.#renderOutput(width),
    ];
    const room = Math.max(3, this.#canvas.rows() - reservedRows);
    const hidden = lines.length - room;
    if (hidden <= 0) return lines;
    return [this.#style.dim(`… ${hidden + 1} lines above`), ...lines.slice(hidden + 1)];
  }

  invalidate(): void {
    this.#rendered = undefined;
  }

  #savePrompt(): void {
    this.#canvas.print(promptBlock(this.#prompt, this.#style));
    this.#prompt = "";
  }

  #addText(text: string): void {
    this.#printThinking();
    this.#hasText = true;
    this.#printReply(this.#text.push(text));
  }

  #startCall(call: ToolCallPart, description: string): void {
    this.#flush();
    if (this.#call?.call === call.call) return;
    this.#call = call;
    this.#canvas.print(callBlock(description, this.#style));
  }

  #endCall(): void {
    this.#call = undefined;
    this.#output = "";
  }

  #tellCompacted(messages: number, summary: string): void {
    this.#flush();
    this.#note(
      `${plural(messages, "older message")} ${messages === 1 ? "is" : "are"} now a summary for the model. All of it stays in the log.`,
    );
    this.#canvas.print(summaryBlock(summary, this.#style));
  }

  #note(text: string): void {
    this.#canvas.print(noteBlock(text, this.#style.yellow));
  }

  #printThinking(): void {
    if (this.#thinking.trim() !== "") this.#canvas.print(thinkingBlock(this.#thinking, this.#style));
    this.#thinking = "";
  }

  #printReply(text: string): void {
    if (text.trim() !== "") this.#canvas.print(replyBlock(text, this.#style));
  }

  #flush(): void {
    this.#printThinking();
    this.#printReply(this.#text.take());
    this.#hasText = false;
  }

  #renderThinking(width: number): readonly string[] {
    if (this.#thinking.trim() === "") return [];
    // Only the end is seen, so that only the end is made ready.
    const end = this.#thinking.slice(-width * (thinkingLines + 1));
    const lines = wrap(toPrintable(end.toWellFormed()).trim(), width, "  ").split("\n");
    return [...lines.slice(-thinkingLines).map((line) => this.#style.dim(line)), ""];
  }

  #renderOutput(width: number): readonly string[] {
    const lines = printedLines(this.#output);
    return lines.slice(-outputLines).map((line) => this.#style.dim(truncate(`  ${line}`, width)));
  }

  #renderText(width: number): readonly string[] {
    const text = viewEnd(this.#text.rest);
    if (text.trim() === "") return [];
    if (this.#rendered?.text !== text || this.#rendered.width !== width) {
      const lines = [...renderMarkdown(toPrintable(text), width - 2, this.#style)];
      lines.push(`${lines.pop() ?? ""} ${this.#style.dim("▍")}`, "");
      this.#rendered = { text, width, lines };
    }
    return this.#rendered.lines;
  }
}

/** Returns the lines of an output as a terminal would end up with them: what a bare return begins anew is over. */
function printedLines(output: string): readonly string[] {
  const text = output.toWellFormed().trimEnd();
  if (text === "") return [];
  return stripVTControlCharacters(text)
    .split(/\r?\n/)
    .map((line) => toPrintableLine(line.slice(line.lastIndexOf("\r") + 1)));
}

function describeRetry(event: Extract<ChatEvent, { type: "retry" }>): string {
  const { reason, waitMs, attempt, attempts } = event;
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return `${toPrintableLine(reason)} Trying again in ${seconds} s (${attempt} of ${attempts})`;
}

/** More of a reply that is coming in is not on any screen, and would be made ready again with every word. */
const mostCharacters = 8000;

const fence = /^ {0,3}(`{3,}|~{3,})/;

/** Returns the end of a reply that is coming in, from the beginning of a line on; code stays code. */
function viewEnd(text: string): string {
  if (text.length <= mostCharacters) return text;
  const start = text.indexOf("\n", text.length - mostCharacters) + 1;
  // A line without an end is cut anywhere but within a character.
  if (start === 0) return text.slice(-mostCharacters).toWellFormed();
  return findOpenFence(text.slice(0, start)) + text.slice(start);
}

/** Returns the line that would open the block of code in which a text ends; nothing outside of one. */
function findOpenFence(text: string): string {
  let open = "";
  for (const line of text.split("\n")) {
    const found = fence.exec(line)?.[1];
    if (found === undefined) continue;
    if (open === "") open = found;
    else if (found.startsWith(open)) open = "";
  }
  return open === "" ? "" : `${open}\n`;
}
