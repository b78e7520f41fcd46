import type { NewEntry, Part } from "../../src/sessions/entry.ts";

/** A message as Anthropic's SDK reads it. */
export interface TheirMessage {
  readonly type: string;
  readonly uuid: string;
  readonly message: { readonly content: string | readonly Readonly<Record<string, unknown>>[] };
}

/** What was said in a message, in words that our entries and their messages have in common. */
export interface DescribedMessage {
  readonly id: string;
  readonly says: readonly unknown[];
}

export function describeOurs(entry: NewEntry): DescribedMessage {
  if (entry.kind === "summary") return { id: entry.id, says: [entry.text] };
  if (entry.kind !== "message") throw new TypeError(`A ${entry.kind} is not spoken.`);
  return { id: entry.replaces ?? entry.id, says: entry.parts.flatMap(describePart) };
}

function describePart(part: Part): readonly unknown[] {
  switch (part.type) {
    case "text":
      return [part.text];
    case "thinking":
      return [{ thought: part.text, signature: part.signature }];
    case "tool-call":
      return [{ call: part.call, name: part.name, input: part.input }];
    case "tool-result":
      return [{ result: part.call, output: describeOutput(part.output), failed: part.failed ?? false }];
    case "image":
    case "file":
      return [part.type];
    case "other":
      return [];
  }
}

export function describeTheirs({ uuid, message: { content } }: TheirMessage): DescribedMessage {
  if (typeof content === "string") return { id: uuid, says: [content] };
  return { id: uuid, says: content.map(describeBlock) };
}

function describeBlock(block: Readonly<Record<string, unknown>>): unknown {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return { thought: block.thinking, signature: block.signature };
    case "tool_use":
      return { call: block.id, name: block.name, input: block.input };
    case "tool_result":
      return {
        ...{ result: block.tool_use_id, output: describeOutput(block.content) },
        failed: block.is_error ?? false,
      };
    default:
      return block.type;
  }
}

/** One text is a text; of pictures only the kind is compared. */
function describeOutput(output: unknown): unknown {
  if (!Array.isArray(output)) return output;
  const described = output.map((block) => (block.type === "text" ? block.text : block.type));
  return described.length === 1 && output[0]?.type === "text" ? described[0] : described;
}
