import {
  type Entry,
  type FilePart,
  type Json,
  type JsonObject,
  type MessageContent,
  type Part,
  redactedMark,
  type ThinkingPart,
  type ToolCallPart,
  type ToolResultPart,
} from "../../sessions/entry.ts";
import { isJsonObject } from "./wire.ts";

/** Counts by name. */
export class Counts {
  readonly #counts = new Map<string, number>();

  get all(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  add(name: string | undefined): void {
    if (name !== undefined) this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

/** What is counted while a part becomes a block. */
export interface BlockCounts {
  readonly changed: Counts;
  readonly leftOut: Counts;
  /** Whether the model that reads it takes these thoughts back. */
  readonly takesThoughts: boolean;
  /** Whether the client itself wrote the message. */
  readonly isNative: boolean;
}

/** Turns a part into the block of a message; none where it cannot stand in one. */
export function toBlock(part: Part, counts: BlockCounts): readonly JsonObject[] {
  const { changed, leftOut } = counts;
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
    case "thinking":
      return toThought(part, counts);
    case "tool-call":
      return [toCall(part, changed)];
    case "tool-result":
      return [toResult(part, changed)];
    case "image":
    case "file":
      return [toNote(part, changed)];
    case "other":
      if (part.raw.type === "tool-outcome") return [];
      if (counts.isNative) return [part.raw];
      leftOut.add("part of an unknown kind");
      return [];
  }
}

/** A provider takes thoughts back only with its signature, and as they were. */
function toThought({ text, signature }: ThinkingPart, counts: BlockCounts): readonly JsonObject[] {
  if (!counts.takesThoughts || signature === undefined || text.includes("[redacted:")) {
    counts.leftOut.add("thought that the model would not take back");
    return [];
  }
  if (!signature.startsWith(redactedMark)) return [{ type: "thinking", thinking: text, signature }];
  return [{ type: "redacted_thinking", data: signature.slice(redactedMark.length) }];
}

/** Other clients have names and arguments that the model's provider would refuse. */
function toCall({ call, name, input }: ToolCallPart, changed: Counts): JsonObject {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 128) || "unknown";
  if (plain !== name || !isJsonObject(input)) changed.add("call in another form");
  return {
    ...{ type: "tool_use", id: toPlainId(call), name: plain },
    input: isJsonObject(input) ? input : { value: input },
  };
}

function toPlainId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_") || "call";
}

function toResult({ call, output, failed = false }: ToolResultPart, changed: Counts): JsonObject {
  const content = toContent(output, changed);
  return {
    ...{ type: "tool_result", tool_use_id: toPlainId(call) },
    ...(failed ? { content: content || "It failed.", is_error: true } : { content }),
  };
}

/** Makes the row of something in the user's name. */
export function userRow(content: Json): JsonObject {
  return { type: "user", message: { role: "user", content } };
}

/** Makes the message of an answer without its content. */
export function toAnswer(
  { id }: Pick<Entry, "id">,
  { model, clientMessageId, usage = {} }: MessageContent,
  blocks: readonly JsonObject[],
): JsonObject {
  const calls = blocks.some(({ type }) => type === "tool_use");
  return {
    id: clientMessageId ?? `msg_${id}`,
    type: "message",
    role: "assistant",
    model: model ?? "<synthetic>",
    stop_reason: calls ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: {
      input_tokens: usage.inputTokens ?? 0,
      output_tokens: usage.outputTokens ?? 0,
      cache_read_input_tokens: usage.cacheReadTokens ?? 0,
      cache_creation_input_tokens: usage.cacheWriteTokens ?? 0,
    },
  };
}

/** Returns the row that the client writes of what happened, as far as the model is told of it. */
export function toEventRow(event: string, data: JsonObject, text: string): JsonObject | undefined {
  switch (event) {
    case "cancelled":
    case "notification":
      return userRow(text);
    case "command": {
      const [name, args] = [String(data.name ?? ""), String(data.args ?? "")];
      const word = name.replace(/^\//, "");
      return userRow(
        `<command-name>${name}</command-name>\n<command-message>${word}</command-message>\n<command-args>${args}</command-args>`,
      );
    }
    case "command-output":
      return userRow(`<local-command-stdout>${text}</local-command-stdout>`);
    case "context":
      // What a hook said it says again.
      return data.hook === undefined && text !== "" ? { ...userRow(text), isMeta: true } : undefined;
    default:
      return undefined;
  }
}

/** Makes the row of results; what the client shows of one is kept beside the block that the model is told. */
export function resultRow(
  blocks: readonly JsonObject[],
  parts: readonly Part[],
  parent: string | null,
): JsonObject {
  const outcome = parts.find((part) => part.type === "other" && part.raw.type === "tool-outcome");
  const shown = outcome?.type === "other" ? outcome.raw.outcome : undefined;
  const content = blocks.find(({ type }) => type === "tool_result")?.content ?? "";
  return {
    ...userRow(blocks),
    toolUseResult: shown ?? (typeof content === "string" ? content : JSON.stringify(content)),
    ...(parent !== null && { sourceToolAssistantUUID: parent }),
  };
}

/** What a result may consist of; in the store, pictures and documents are references. */
const inResults: ReadonlySet<unknown> = new Set(["text", "image", "file", "search_result", "tool_reference"]);

function toContent(output: Json, changed: Counts): Json {
  if (typeof output === "string") return output;
  const isPlain = (block: Json): block is JsonObject => isJsonObject(block) && inResults.has(block.type);
  if (!Array.isArray(output) || !output.every(isPlain)) return JSON.stringify(output);
  const told = output.filter(({ text }) => text !== "");
  if (told.length === 0) return "";
  return told.map((block) => ("mediaType" in block ? toNote(block as unknown as FilePart, changed) : block));
}

function toNote(part: FilePart, changed: Counts): JsonObject {
  changed.add(`${part.type} replaced by a note`);
  return { type: "text", text: describeFile(part) };
}

function describeFile({ type, mediaType, name, location, bytes, sha256 }: FilePart): string {
  const facts = [
    ...[mediaType, name, location],
    ...[bytes === undefined ? undefined : `${bytes} bytes`, sha256 && `SHA-256 ${sha256}`],
  ];
  return `[${type === "image" ? "Image" : "File"}: ${facts.filter((fact) => fact !== undefined).join(", ")}; its content was not kept]`;
}

/** Returns the words of parts. */
export function wordsOf(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Makes the row that a compaction begins with; `uuids` are the rows that it left word for word. */
export function boundaryRow(
  logicalParentUuid: string | null,
  { anchorUuid, uuids }: { readonly anchorUuid: string; readonly uuids: readonly string[] },
): JsonObject {
  return {
    ...{ type: "system", subtype: "compact_boundary", content: "Conversation compacted", level: "info" },
    ...{ isMeta: false, logicalParentUuid },
    compactMetadata: {
      ...{ trigger: "auto", preTokens: 0 },
      ...(uuids.length > 0 && { preservedMessages: { anchorUuid, uuids, allUuids: uuids } }),
    },
  };
}

/** Says in plain words which event is left out; undefined for one that says nothing which the rows do not. */
export function describeEvent(event: string): string | undefined {
  return event in words ? words[event] : `${event} event`;
}

const words: Readonly<Record<string, string | undefined>> = {
  ...{ titled: undefined, tagged: undefined, started: undefined, ended: undefined, stopped: undefined },
  found: undefined,
  context: "text that a hook added",
  attached: "mentioned file",
  "file-changed": "changed file",
  notice: "message of the client",
  "api-error": "API error",
  "hook-blocked": "objection of a hook",
  "hook-failed": "error of a hook",
  "structured-output": "structured output",
  "pull-request": "pull request link",
};
