import type { Json, JsonObject, Part, ToolResultPart } from "../../sessions/entry.ts";
import { bound } from "./bound.ts";
import { toFilePart } from "./file-reference.ts";
import { blocksOf, isJsonObject, textOf } from "./wire.ts";

/** Turns the blocks of a message into parts, in their order. */
export function toParts(content: Json | undefined): readonly Part[] {
  return blocksOf(content).map(toPart);
}

function toPart(block: JsonObject): Part {
  const type = textOf(block, "type") ?? "";
  switch (type) {
    case "text":
      return { type: "text", text: textOf(block, "text") ?? "" };
    case "thinking": {
      const signature = textOf(block, "signature");
      const text = textOf(block, "thinking") ?? "";
      return { type: "thinking", text, ...(signature === undefined ? {} : { signature }) };
    }
    case "image":
    case "document":
      return toFilePart(block);
    default:
      return toToolPart(type, block) ?? { type: "other", raw: bound(block) };
  }
}

/** Tools of the client, of the provider and of MCP servers have blocks of the same form under different names. */
function toToolPart(type: string, block: JsonObject): Part | undefined {
  const { input, content, is_error: isError } = block;
  if (type.endsWith("tool_use")) {
    const [call, name] = [textOf(block, "id"), textOf(block, "name")];
    if (call === undefined || name === undefined) return undefined;
    return { type: "tool-call", call, name, input: input ?? {} };
  }
  const call = textOf(block, "tool_use_id");
  if (!type.endsWith("tool_result") || call === undefined) return undefined;
  return toToolResult(call, content ?? "", isError === true);
}

function toToolResult(call: string, content: Json, failed: boolean): ToolResultPart {
  return { type: "tool-result", call, output: toOutput(content), ...(failed ? { failed } : {}) };
}

/** One text stays a text; pictures and documents become references. */
function toOutput(content: Json): Json {
  if (!Array.isArray(content)) return content;
  const [first] = content;
  if (content.length === 1 && isJsonObject(first) && first.type === "text")
    return textOf(first, "text") ?? "";
  return content.map((block) =>
    isJsonObject(block) && (block.type === "image" || block.type === "document")
      ? { ...toFilePart(block) }
      : block,
  );
}
