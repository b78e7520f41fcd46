import {
  type ModelMessage,
  type ReplyPart,
  toObjectInput,
  toOutputText,
  toPlainName,
  toWellFormed,
  toWellFormedJson,
} from "../model/model.ts";
import type {
  Entry,
  Message,
  Part,
  TextPart,
  ThinkingPart,
  ToolCallPart,
  ToolResultPart,
} from "../sessions/entry.ts";
import { visibleTalk } from "../sessions/visible-talk.ts";
import { describeSummary, notes } from "./notes.ts";

/** A call of a tool, and its result where there is one. */
interface PairedCall {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart | undefined;
}

/**
 * Finds the result of each call: the first one after it that names it, and that no earlier call of that id has taken.
 *
 * Some providers give the same id again and again. A result may come late, as one does that says what a crash has cut off.
 */
function pairCalls(messages: readonly Message[]): ReadonlyMap<ToolCallPart, PairedCall> {
  const open = new Map<string, ToolCallPart[]>();
  const pairs = new Map<ToolCallPart, PairedCall>();
  const begin = (call: ToolCallPart) => {
    pairs.set(call, { call, result: undefined });
    open.set(call.call, [...(open.get(call.call) ?? []), call]);
  };
  const end = (result: ToolResultPart) => {
    const call = open.get(result.call)?.shift();
    if (call !== undefined) pairs.set(call, { call, result });
  };
  for (const { role, parts } of messages) {
    for (const part of parts) {
      if (part.type === "tool-call" && role === "assistant") begin(part);
      if (part.type === "tool-result") end(part);
    }
  }
  return pairs;
}

/** Returns the calls that have no result, in order. */
export function findOpenCalls(messages: readonly Message[]): readonly ToolCallPart[] {
  return [...pairCalls(messages).values()].flatMap(({ call, result }) =>
    result === undefined ? [call] : [],
  );
}

/** A run of what one side says; `results` only keeps apart what stands before and after the results of tools. */
type Turn =
  | { readonly role: "user"; readonly parts: readonly TextPart[] }
  | { readonly role: "assistant"; readonly parts: readonly ReplyPart[] }
  | { readonly role: "results" };

/**
 * Returns the entries of a stretch as any provider takes them, whatever they are and however they came to be there.
 *
 * Roles take turns and the user begins. Each call has an id of its own and is answered by the message after it: by its
 * result, or by one that says that there is none. Nothing is empty. Thoughts go back to the provider that signed them.
 */
export function toModelMessages(entries: readonly Entry[], model: string): readonly ModelMessage[] {
  const { summary, messages } = visibleTalk(entries);
  const pairs = pairCalls(messages);
  const opening: readonly Turn[] =
    summary === undefined ? [] : [{ role: "user", parts: [textPart(describeSummary(summary))] }];
  const turns = [...opening, ...messages.flatMap((message) => toTurns(message, model))];
  const writer = new Writer(pairs);
  for (const turn of joinTurns(turns)) writer.write(turn);
  return writer.end();
}

function toTurns(message: Message, model: string): readonly Turn[] {
  switch (message.role) {
    case "user":
      return [...resultsIn(message), { role: "user", parts: message.parts.flatMap(wordsIn) }];
    case "tool": {
      const said = message.parts.flatMap(wordsIn);
      const parts = said.map(({ text }) => textPart(`${notes.toolOutput}\n${text}`));
      return [...resultsIn(message), { role: "user", parts }];
    }
    case "assistant": {
      const parts = message.parts.flatMap((part) => replyPart(part, message, model));
      const isTold = parts.some(({ type }) => type === "text");
      const cutOff = message.interrupted === true && isTold ? [textPart(notes.cutOff)] : [];
      return [
        { role: "assistant", parts },
        { role: "user", parts: cutOff },
      ];
    }
  }
}

function resultsIn({ parts }: Message): readonly Turn[] {
  return parts.some(({ type }) => type === "tool-result") ? [{ role: "results" }] : [];
}

function replyPart(part: Part, message: Message, model: string): readonly ReplyPart[] {
  switch (part.type) {
    case "thinking":
      return isTakenBack(part, message, model) ? [part] : [];
    case "tool-call":
      return [part];
    case "text":
    case "image":
    case "file":
      return wordsIn(part);
    case "tool-result":
    case "other":
      return [];
  }
}

/** A provider takes back what it has signed, word for word, and nothing else. */
function isTakenBack({ text, signature }: ThinkingPart, message: Message, model: string): boolean {
  const isSame = message.model !== undefined && providerOf(message.model) === providerOf(model);
  return isSame && signature !== undefined && signature !== "" && text.isWellFormed();
}

function providerOf(model: string): string {
  const end = model.indexOf("/");
  return end === -1 ? model : model.slice(0, end);
}

/** Returns the words of a part; a file is named, because its bytes are not in the log. */
function wordsIn(part: Part): readonly TextPart[] {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [textPart(part.text)];
    case "image":
    case "file":
      return [textPart(`[${part.type}: ${part.name ?? part.location ?? part.mediaType}]`)];
    case "thinking":
    case "tool-call":
    case "tool-result":
    case "other":
      return [];
  }
}

function textPart(text: string): TextPart {
  return { type: "text", text: toWellFormed(text) };
}

/** Joins what one side says in a row. */
function joinTurns(turns: readonly Turn[]): readonly Turn[] {
  const joined = new Row<Turn>();
  for (const turn of turns) {
    if (turn.role === "results") joined.push(turn);
    else if (turn.parts.length > 0) joined.join(turn);
  }
  return joined.items;
}

/** Things in a row, of which the last one can grow; a copy for each part would cost as much as all of them, each time. */
class Row<Item extends { readonly role: string }> {
  readonly items: Item[] = [];

  push(item: Item): void {
    this.items.push(item);
  }

  /** Adds the parts of an item to the last one if that has the same role. */
  join(item: Item & { readonly parts: readonly unknown[] }): void {
    const last: { readonly role: string; readonly parts?: unknown[] } | undefined = this.items.at(-1);
    if (last?.role === item.role) for (const part of item.parts) last.parts?.push(part);
    else this.items.push({ ...item, parts: [...item.parts] });
  }
}

/** Writes turns down as messages, each call with its result. */
class Writer {
  readonly #pairs: ReadonlyMap<ToolCallPart, PairedCall>;
  readonly #ids = new CallIds();
  readonly #row = new Row<ModelMessage>();

  constructor(pairs: ReadonlyMap<ToolCallPart, PairedCall>) {
    this.#pairs = pairs;
  }

  write(turn: Turn): void {
    if (turn.role === "user") this.#row.join(turn);
    if (turn.role === "assistant") this.#writeReply(turn.parts);
  }

  end(): readonly ModelMessage[] {
    const messages = this.#row.items;
    const last = messages.at(-1);
    if (last?.role !== "assistant") return messages;
    // What ends a conversation is the beginning of the next reply, and providers refuse one that ends in a blank.
    const parts = last.parts.map((part, index) =>
      index === last.parts.length - 1 && part.type === "text" ? textPart(part.text.trimEnd()) : part,
    );
    return [...messages.slice(0, -1), { role: "assistant", parts }];
  }

  #writeReply(parts: readonly ReplyPart[]): void {
    // Thoughts alone are no message.
    if (parts.every(({ type }) => type === "thinking")) return;
    if (this.#row.items.length === 0) this.#row.push({ role: "user", parts: [textPart(notes.opening)] });
    const results: ToolResultPart[] = [];
    const written = parts.map((part) => {
      if (part.type !== "tool-call") return part;
      const call = this.#ids.next(part.call);
      results.push(toResult(call, this.#pairs.get(part)?.result));
      return {
        ...part,
        call,
        name: toPlainName(part.name),
        input: toWellFormedJson(toObjectInput(part.input)),
      };
    });
    this.#row.join({ role: "assistant", parts: written });
    if (results.length > 0) this.#row.push({ role: "tool", parts: results });
  }
}

function toResult(call: string, found: ToolResultPart | undefined): ToolResultPart {
  if (found === undefined) return { type: "tool-result", call, output: notes.noResult, failed: true };
  const output = toOutputText(found.output);
  const told = output.trim() === "" ? notes.noOutput : output;
  return { type: "tool-result", call, output: told, ...(found.failed === true ? { failed: true } : {}) };
}

/** What the providers take as the id of a call; the shortest of their limits. */
const idForm = /^[A-Za-z0-9_-]{1,40}$/;

/**
 * Gives calls ids that providers take: each is there once, and has no other characters than they allow.
 *
 * What an id becomes depends on those before it alone, so that the beginning of a conversation stays what it was, and a
 * provider that knows it already needs not read it again.
 */
class CallIds {
  readonly #taken = new Set<string>();

  next(id: string): string {
    const free = idForm.test(id) && !this.#taken.has(id) ? id : this.#make();
    this.#taken.add(free);
    return free;
  }

  #make(): string {
    for (let number = this.#taken.size + 1; ; number += 1) {
      const id = `call_${number}`;
      if (!this.#taken.has(id)) return id;
    }
  }
}
