import type { FilePart, Json, JsonObject, Part } from "../../sessions/entry.ts";

/** Counts by name. */
export class Counts {
  readonly #counts = new Map<string, number>();

  get all(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts);
  }

  add(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

/** What is counted while a part becomes a block. */
export interface BlockCounts {
  readonly changed: Counts;
  readonly leftOut: Counts;
  /** Whether the model that reads it takes these thoughts back. */
  readonly takesThoughts: boolean;
}

/** Turns a part into the block of a message; none where it cannot stand in one. */
export function toBlock(part: Part, { changed, leftOut, takesThoughts }: BlockCounts): readonly JsonObject[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }];
    case "thinking":
      // A provider takes thoughts back only with its signature, and as they were.
      if (takesThoughts && part.signature !== undefined && !part.text.includes("[redacted:"))
        return [{ type: "thinking", thinking: part.text, signature: part.signature }];
      leftOut.add("thought that the model would not take back");
      return [];
    case "tool-call":
      return [{ type: "tool_use", id: part.call, name: part.name, input: part.input }];
    case "tool-result":
      return [
        {
          ...{ type: "tool_result", tool_use_id: part.call, content: toContent(part.output) },
          ...(part.failed === true && { is_error: true }),
        },
      ];
    case "image":
    case "file":
      changed.add(`${part.type} replaced by a note`);
      return [{ type: "text", text: describeFile(part) }];
    case "other":
      return part.raw.type === "tool-outcome" ? [] : [part.raw];
  }
}

/** Makes the row of something in the user's name. */
export function userRow(content: Json): JsonObject {
  return { type: "user", message: { role: "user", content } };
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

/** What the client shows of a result; the model is told the block. */
export function toOutcome(parts: readonly Part[], block: JsonObject): Json {
  const outcome = parts.find((part) => part.type === "other" && part.raw.type === "tool-outcome");
  if (outcome?.type === "other" && outcome.raw.outcome !== undefined) return outcome.raw.outcome;
  const { content } = block;
  return typeof content === "string" ? content : JSON.stringify(content);
}

function toContent(output: Json): Json {
  return typeof output === "string" || Array.isArray(output) ? output : JSON.stringify(output);
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
