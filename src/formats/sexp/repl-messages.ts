import {
  type Entry,
  type Json,
  type Message,
  messageText,
  type NewEntry,
  type Part,
} from "../../sessions/entry.ts";
import { mainStrand } from "../../sessions/ids.ts";

/** A call of a tool as the REPL keeps it. */
interface ReplCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
}

/** A message as the REPL keeps it: words, calls, or the result of one call. */
export interface ReplMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly content: string;
  readonly at: Date;
  readonly calls: readonly ReplCall[];
  /** The call that it is the result of. */
  readonly call: string | null;
}

/** A message, and the entry that holds it. */
export interface HeldMessage {
  readonly entry: string;
  readonly message: ReplMessage;
}

type AnyEntry = Entry | NewEntry;

/** Returns the talk of a session: that on its main strand, or all where nothing was said there. Thinking is left out. */
export function listReplMessages(entries: readonly AnyEntry[]): readonly HeldMessage[] {
  const messages = entries.filter((entry) => entry.kind === "message");
  const main = messages.filter(({ strand = mainStrand }) => strand === mainStrand);
  return (main.length > 0 ? main : messages).flatMap((entry) =>
    toMessages(entry).map((message) => ({ entry: entry.id, message })),
  );
}

function toMessages(entry: Pick<Message, "role" | "parts" | "at">): readonly ReplMessage[] {
  const { role, parts, at } = entry;
  const calls = parts.flatMap((part) =>
    part.type === "tool-call" ? [{ id: part.call, name: part.name, arguments: part.input }] : [],
  );
  const words = [messageText({ kind: "message", role, parts }), ...parts.flatMap(describeFile)];
  const content = words.filter((text) => text !== "").join("\n");
  const hasText = parts.some(({ type }) => type === "text");
  const said = { role, content, at, calls, call: null };
  const results = parts.flatMap((part) =>
    part.type === "tool-result"
      ? [{ role: "tool" as const, content: toText(part.output), at, calls: [], call: part.call }]
      : [],
  );
  return hasText || content !== "" || calls.length > 0 ? [said, ...results] : results;
}

function describeFile(part: Part): readonly string[] {
  if (part.type !== "image" && part.type !== "file") return [];
  return [`[${part.type}: ${part.name ?? part.location ?? part.mediaType}]`];
}

function toText(output: Json): string {
  return typeof output === "string" ? output : JSON.stringify(output);
}
