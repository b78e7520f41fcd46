import { isObject } from "../../lib/field-readers.ts";
import type { JsonObject, Message, MessageContent, Part } from "../../sessions/entry.ts";

/** A message as the API of Anthropic takes it, which is how the original kept its history. */
export interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: string | readonly JsonObject[];
  /** Whether it was cut off. The original has no such field, and takes no notice of it. */
  readonly interrupted?: true;
}

/** Turns a message into its form on the wire; a single text stands alone. */
export function toWireMessage({
  role,
  parts,
  interrupted,
}: Pick<Message, "role" | "parts" | "interrupted">): WireMessage {
  const [only, ...others] = parts;
  const isText = only?.type === "text" && others.length === 0;
  return {
    role: role === "assistant" ? "assistant" : "user",
    content: isText ? only.text : parts.map(toBlock),
    ...(interrupted === true ? { interrupted } : {}),
  };
}

function toBlock(part: Part): JsonObject {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "thinking": {
      const signature = part.signature === undefined ? {} : { signature: part.signature };
      return { type: "thinking", thinking: part.text, ...signature };
    }
    case "tool-call":
      return { type: "tool_use", id: part.call, name: part.name, input: part.input };
    case "tool-result": {
      const failed = part.failed === undefined ? {} : { is_error: part.failed };
      return { type: "tool_result", tool_use_id: part.call, content: part.output, ...failed };
    }
    case "image":
    case "file":
      return { type: part.type, source: { type: "reference", ...withoutType(part) } };
    case "other":
      return part.raw;
  }
}

function withoutType({ type: _type, ...rest }: Extract<Part, { mediaType: string }>): JsonObject {
  return rest as JsonObject;
}

/** Turns a message of the wire into what an entry says; undefined when it is none. */
export function fromWireMessage(value: unknown): MessageContent | undefined {
  if (!isObject(value) || (value.role !== "user" && value.role !== "assistant")) return undefined;
  const { role, content } = value;
  const cutOff = value.interrupted === true ? { interrupted: true as const } : {};
  if (typeof content === "string")
    return { kind: "message", role, parts: [{ type: "text", text: content }], ...cutOff };
  if (!Array.isArray(content) || !content.every(isObject)) return undefined;
  const parts = content.map((block) => fromBlock(block as JsonObject));
  const isResult = role === "user" && parts.length > 0 && parts.every(({ type }) => type === "tool-result");
  return { kind: "message", role: isResult ? "tool" : role, parts, ...cutOff };
}

function fromBlock(block: JsonObject): Part {
  return readBlock(block) ?? { type: "other", raw: block };
}

/** Returns the part that a block is; undefined for one of which we would lose something. */
function readBlock(block: JsonObject): Part | undefined {
  switch (block.type) {
    case "text":
      return typeof block.text === "string" && hasOnly(block, 2)
        ? { type: "text", text: block.text }
        : undefined;
    case "thinking":
      return readThinking(block);
    case "tool_use":
      return readCall(block);
    case "tool_result":
      return readResult(block);
    default:
      return undefined;
  }
}

function readThinking(block: JsonObject): Part | undefined {
  const { thinking: text, signature } = block;
  if (typeof text !== "string") return undefined;
  if (signature === undefined) return hasOnly(block, 2) ? { type: "thinking", text } : undefined;
  return typeof signature === "string" && hasOnly(block, 3)
    ? { type: "thinking", text, signature }
    : undefined;
}

function readCall(block: JsonObject): Part | undefined {
  const { id: call, name, input } = block;
  if (typeof call !== "string" || typeof name !== "string" || input === undefined) return undefined;
  return hasOnly(block, 4) ? { type: "tool-call", call, name, input } : undefined;
}

function readResult(block: JsonObject): Part | undefined {
  const { tool_use_id: call, content: output, is_error: failed } = block;
  if (typeof call !== "string" || output === undefined) return undefined;
  if (failed === undefined) return hasOnly(block, 3) ? { type: "tool-result", call, output } : undefined;
  return typeof failed === "boolean" && hasOnly(block, 4)
    ? { type: "tool-result", call, output, failed }
    : undefined;
}

/** What has more fields than we know is carried along as it came. */
function hasOnly(block: JsonObject, fields: number): boolean {
  return Object.keys(block).length === fields;
}
