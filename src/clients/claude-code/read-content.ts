import type { EntryContent, EventContent, JsonObject, MessageContent } from "../../sessions/entry.ts";
import { readAttachment } from "./attachments.ts";
import { bound, boundText } from "./bound.ts";
import { readPromptText } from "./prompt-text.ts";
import { readSystemRow } from "./system-rows.ts";
import { toParts } from "./to-parts.ts";
import { toOutcome } from "./tool-outcome.ts";
import { type ChainRow, isJsonObject, objectOf, textOf } from "./wire.ts";

/**
 * Returns what is recorded of a row, or undefined when nothing is: docs/formats/claude-code.md has the table.
 *
 * Usage and summaries depend on the rows before and are added by `absorb`.
 */
export function readContent({ type, fields }: ChainRow): EntryContent | undefined {
  switch (type) {
    case "user":
      return readUser(fields);
    case "assistant":
      return readAssistant(fields);
    case "system":
      return readSystemRow(fields);
    case "attachment":
      return readAttachment(objectOf(fields, "attachment"));
    case "progress":
      return undefined;
    default:
      return { kind: "other", raw: bound(fields) };
  }
}

/** Returns the text of the row that tells the model what was said before a compaction. */
export function readSummary({ type, fields }: ChainRow): string | undefined {
  if (type !== "user" || fields.isCompactSummary !== true) return undefined;
  return joinText(fields);
}

function readUser(fields: JsonObject): EntryContent | undefined {
  const { content } = objectOf(fields, "message");
  const parts = toParts(content);
  if (parts.some((part) => part.type === "tool-result")) {
    const outcome = toOutcome(fields);
    return { kind: "message", role: "tool", parts: outcome === undefined ? parts : [...parts, outcome] };
  }
  const text = joinText(fields);
  const read = readPromptText(text);
  if (read.type === "happened") return read.event;
  if (read.type === "filler" || parts.length === 0) return undefined;
  if (fields.isMeta === true) return readInjected(text, fields);
  if (objectOf(fields, "origin").kind === "task-notification") return happened("notification", { text });
  const isMarkedUp = read.text !== text;
  return { kind: "message", role: "user", parts: isMarkedUp ? [{ type: "text", text: read.text }] : parts };
}

/** What the client said to the model in the user's name: a skill's text, a hook's objection, a reminder. */
function readInjected(text: string, fields: JsonObject): EventContent {
  const files = toParts(objectOf(fields, "message").content).filter(
    (part) => part.type === "image" || part.type === "file",
  );
  return happened("context", {
    text: boundText(text),
    ...(files.length === 0 ? {} : { files: files.map((file) => ({ ...file })) }),
  });
}

function readAssistant(fields: JsonObject): EntryContent | undefined {
  const message = objectOf(fields, "message");
  const text = joinText(fields);
  if (fields.isApiErrorMessage === true) return happened("api-error", { ...readStatus(fields), text });
  const parts = toParts(message.content);
  if (parts.length === 0) return undefined;
  const [model, id] = [textOf(message, "model"), textOf(message, "id")];
  const said: MessageContent = { kind: "message", role: "assistant", parts };
  return {
    ...said,
    // The client's own words in the model's place are no model's.
    ...(model === undefined || model === "<synthetic>" ? {} : { model }),
    ...(id === undefined ? {} : { clientMessageId: id }),
  };
}

function readStatus({ apiErrorStatus: status }: JsonObject): JsonObject {
  return typeof status === "number" ? { status } : {};
}

function joinText(fields: JsonObject): string {
  const { content } = objectOf(fields, "message");
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? content.filter(isJsonObject) : [];
  return blocks.flatMap((block) => textOf(block, "text") ?? []).join("\n");
}

function happened(event: string, data: JsonObject): EventContent {
  return { kind: "event", event, data };
}
