import { describingEvents } from "../describing-events.ts";
import {
  chatEvents,
  type Entry,
  type Json,
  type JsonObject,
  type Message,
  type MessageContent,
  type Part,
  runEvents,
  type ToolCallPart,
  type ToolResultPart,
  type Usage,
} from "../entry.ts";
import { hookStrand, toSeenMessage } from "../observations.ts";
import type { CallOutcome, DiffCall, DiffItem, MadeDecision } from "../session-diff.ts";
import { fieldOf } from "../tool-runs.ts";
import { contentKey } from "./content-key.ts";
import { clip, summarizeInput, summarizeOutput } from "./summarize-input.ts";
import { commandOf, type FileUse, filesOf } from "./touched-files.ts";

/** What one entry adds to the sum of what a side did. */
interface ItemFacts {
  readonly role: MessageContent["role"] | undefined;
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  readonly blocker: string | undefined;
  readonly isError: boolean;
}

/** A tool call that waits for its result. */
export interface OwnCall {
  readonly name: string;
  readonly input: string;
  readonly command: string | undefined;
  readonly files: readonly FileUse[];
  outcome: CallOutcome;
  said: string;
  decision: MadeDecision | undefined;
}

/** An entry of an own part, reduced to what is told of it. */
export interface OwnItem {
  readonly item: Omit<DiffItem, "calls">;
  readonly calls: readonly OwnCall[];
  readonly facts: ItemFacts;
  /** What equal ones share; undefined for what is no part of the talk. */
  readonly key: string | undefined;
  /** Whether it is shown: the results of tools are told with their calls. */
  readonly isShown: boolean;
}

/** Reduces entries to what is told of them, one by one, and joins the results of tools to their calls. */
export class OwnItems {
  readonly #cwd: string;
  readonly #textLimit: number;
  readonly #calls = new Map<string, { readonly part: ToolCallPart; readonly own: OwnCall }>();
  readonly items: OwnItem[] = [];

  constructor(cwd: string, textLimit: number) {
    this.#cwd = cwd;
    this.#textLimit = textLimit;
  }

  take(entry: Entry): void {
    const message = messageIn(entry);
    const results = message?.parts.filter((part) => part.type === "tool-result") ?? [];
    const known = results.filter((part) => this.#join(part));
    const calls =
      message?.parts.flatMap((part) => (part.type === "tool-call" ? [this.#begin(part)] : [])) ?? [];
    const { id, session, strand, seq, at, kind } = entry;
    const isToldElsewhere = message?.role === "tool" && results.length > 0 && known.length === results.length;
    this.items.push({
      item: {
        ...{ seq, entry: id, session, strand, at, kind, name: nameOf(entry, message) },
        ...clip(textOf(entry, message, new Set(known)), this.#textLimit),
      },
      calls,
      facts: factsOf(entry, message),
      key: contentKey(message ?? entry),
      isShown: !isToldElsewhere && isTold(entry),
    });
  }

  #begin(part: ToolCallPart): OwnCall {
    const [command, files] = [commandOf(part), filesOf(part, this.#cwd)];
    const input = command ?? files[0]?.path;
    const own: OwnCall = {
      ...{ name: part.name, input: summarizeInput(input ?? part.input), command, files },
      ...{ outcome: "open", said: "", decision: undefined },
    };
    this.#calls.set(part.call, { part, own });
    return own;
  }

  /** Tells whether the call of a result is here. */
  #join(result: ToolResultPart): boolean {
    const found = this.#calls.get(result.call);
    if (found === undefined) return false;
    const failed = result.failed === true;
    found.own.outcome = failed ? "failed" : "done";
    found.own.said = failed ? summarizeOutput(result.output) : "";
    found.own.decision = failed ? undefined : readDecision(found.part, result);
    return true;
  }
}

/** Returns a call as others see it. */
export function toDiffCall({ name, input, outcome, said }: OwnCall): DiffCall {
  return { name, input, outcome, said };
}

function messageIn(entry: Entry): Message | MessageContent | undefined {
  return entry.kind === "message" ? entry : toSeenMessage(entry);
}

/** Records of a client, what hooks did beside the talk, and titles and ends are counted, but not told one by one. */
function isTold(entry: Entry): boolean {
  if (entry.kind === "other") return false;
  if (entry.kind !== "event") return true;
  if (entry.event === chatEvents.draft || entry.event === runEvents.callStarted) return false;
  return (
    toSeenMessage(entry) !== undefined || (entry.strand !== hookStrand && !describingEvents.has(entry.event))
  );
}

function nameOf(entry: Entry, message: MessageContent | undefined): string {
  if (message !== undefined) return message.role;
  switch (entry.kind) {
    case "round":
      return `round ${entry.number}`;
    case "event":
      return entry.event;
    case "message":
    case "summary":
    case "checkpoint":
    case "other":
      return entry.kind;
  }
}

function textOf(entry: Entry, message: MessageContent | undefined, told: ReadonlySet<Part>): string {
  if (message !== undefined && isThought(message))
    return `thinking: ${message.parts.flatMap((part) => ("text" in part ? [part.text] : [])).join("\n")}`;
  if (message !== undefined)
    return message.parts.flatMap((part) => (told.has(part) ? [] : textIn(part))).join("\n");
  switch (entry.kind) {
    case "summary":
      return entry.text;
    case "round":
      return describeOrder(entry.data);
    case "checkpoint":
      return JSON.stringify(entry.state);
    case "event":
      return isEmpty(entry.data) ? "" : JSON.stringify(entry.data);
    case "message":
    case "other":
      return "";
  }
}

/** Returns what the worker was told in a round. */
function describeOrder(data: JsonObject): string {
  const { instruction, needsCorrection } = data;
  if (typeof instruction === "string" && instruction !== "")
    return needsCorrection === true ? `A correction: ${instruction}` : instruction;
  return isEmpty(data) ? "" : JSON.stringify(data);
}

/** Without its thoughts, nothing would be told of it. */
function isThought({ parts }: Pick<MessageContent, "parts">): boolean {
  return parts.length > 0 && parts.every(({ type }) => type === "thinking");
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0;
}

function textIn(part: Part): readonly string[] {
  switch (part.type) {
    case "text":
      return [part.text];
    case "tool-result":
      return [summarizeOutput(part.output)];
    case "image":
    case "file":
      return [`[${part.type} ${part.name ?? part.location ?? part.mediaType}]`];
    case "thinking":
    case "tool-call":
    case "other":
      return [];
  }
}

const errorEvents: ReadonlySet<string> = new Set(["api-error", "hook-failed", "hook-blocked"]);

function factsOf(entry: Entry, message: MessageContent | undefined): ItemFacts {
  const { model, usage } = message ?? {};
  const isError = entry.kind === "event" && errorEvents.has(entry.event);
  return { role: message?.role, model, usage, blocker: blockerIn(entry), isError };
}

function blockerIn(entry: Entry): string | undefined {
  const blocker = entry.kind === "checkpoint" ? entry.state.blocker : undefined;
  if (typeof blocker !== "object" || blocker === null || !("description" in blocker)) return undefined;
  return typeof blocker.description === "string" ? blocker.description : undefined;
}

/** Returns the decision that a tool call wrote down: that of our MCP server, or `carryon decide` in a shell. */
function readDecision(call: ToolCallPart, { output }: ToolResultPart): MadeDecision | undefined {
  return fromTool(call, output) ?? fromShell(call, output);
}

const toolName = /(?:^|__)decide$/;

function fromTool({ name, input }: ToolCallPart, output: Json): MadeDecision | undefined {
  const summary = fieldOf(input, "summary");
  if (!toolName.test(name) || typeof summary !== "string") return undefined;
  const decision = fieldOf(input, "decision");
  const number = fieldOf(output, "number");
  return {
    seq: typeof number === "number" ? number : numberIn(summarizeOutput(output)),
    summary,
    decision: typeof decision === "string" ? decision : "",
    by: "tool",
  };
}

const shellForm = /(?:^|[\s/;&|])carryon\s+decide\s+[A-Za-z_-]+\s+(?:"([^"$`\\]*)"|'([^']*)'|([^\s"'$`\\]+))/;
const decisionOption = /--decision[ =](?:"([^"$`\\]*)"|'([^']*)'|([^\s"'$`\\]+))/;

function fromShell(call: ToolCallPart, output: Json): MadeDecision | undefined {
  const command = commandOf(call);
  const told = command === undefined ? null : shellForm.exec(command);
  if (command === undefined || told === null) return undefined;
  const seq = numberIn(summarizeOutput(output));
  // Without a number it was not written down.
  if (seq === null) return undefined;
  const decision = decisionOption.exec(command);
  return { seq, summary: wordIn(told), decision: decision === null ? "" : wordIn(decision), by: "tool" };
}

function wordIn([, double, single, plain]: RegExpExecArray): string {
  return double ?? single ?? plain ?? "";
}

function numberIn(text: string): number | null {
  const [, digits] = /\bD(\d{1,9})\b/.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}
