import type {
  EntryContent,
  EventContent,
  Json,
  JsonObject,
  MessageContent,
  OtherPart,
} from "../../sessions/entry.ts";
import { bound, boundText } from "./bound.ts";
import { referTo } from "./file-reference.ts";
import { readPromptText } from "./prompt-text.ts";
import { toParts } from "./to-parts.ts";
import { blocksOf, type ChainRow, isJsonObject, objectOf, textOf } from "./wire.ts";

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

/** What the client counts and measures for itself. */
const unremarkable: ReadonlySet<string> = new Set([
  "compact_boundary",
  "microcompact_boundary",
  "stop_hook_summary",
  "turn_duration",
]);

/** Returns the event that a system row stands for, or undefined when nothing is recorded of it. */
function readSystemRow(fields: JsonObject): EventContent | undefined {
  const about = textOf(fields, "subtype") ?? "";
  const text = textOf(fields, "content") ?? "";
  if (unremarkable.has(about)) return undefined;
  if (about === "api_error") return readApiError(fields);
  if (text === "") return undefined;
  const read = readPromptText(text);
  if (read.type !== "said") return read.type === "happened" ? read.event : undefined;
  return { kind: "event", event: "notice", data: { about, text: boundText(text) } };
}

/** A request that failed and is tried again. */
function readApiError(fields: JsonObject): EventContent {
  const { status, message } = objectOf(fields, "error");
  const { retryAttempt } = fields;
  const told = Object.entries({ status, text: message, retryAttempt }).filter(isTold);
  return { kind: "event", event: "api-error", data: bound(Object.fromEntries(told)) };
}

function isTold(field: [string, unknown]): field is [string, string | number] {
  return typeof field[1] === "string" || typeof field[1] === "number";
}

/**
 * What the client knows of a tool's outcome besides the text that the model was given.
 *
 * Left out: what the call or its output says already (`stdout`, `content`, `oldString` …), whole files before a
 * change, and base64.
 */
const kept = [
  "type",
  "filePath",
  "structuredPatch",
  "userModified",
  "bashEditDiff",
  "stderr",
  "interrupted",
  "returnCodeInterpretation",
  "backgroundTaskId",
  "persistedOutputPath",
  "persistedOutputSize",
  "agentId",
  "agentType",
  "status",
  "totalDurationMs",
  "totalTokens",
  "totalToolUseCount",
  "durationMs",
  "code",
  "url",
  "answers",
] as const;

/** Returns what is worth keeping of a tool's outcome, or undefined when there is nothing. */
function toOutcome(fields: JsonObject): OtherPart | undefined {
  const result = objectOf(fields, "toolUseResult");
  const denied = textOf(fields, "toolDenialKind");
  const told = kept.flatMap((name) => {
    const value = result[name];
    return value === undefined || isNothing(value) ? [] : [[name, value] as const];
  });
  const outcome = { ...Object.fromEntries(told), ...(denied === undefined ? {} : { denied }) };
  if (Object.keys(outcome).every((name) => name === "type")) return undefined;
  return { type: "other", raw: { type: "tool-outcome", outcome: bound(outcome) } };
}

function isNothing(value: Json): boolean {
  if (value === null || value === false || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

type Reader = (attachment: JsonObject) => EntryContent | undefined;

/** The attachments that a person would miss; all others tell the model what the client can tell it again. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["queued_command", readQueued],
  ["hook_additional_context", (fields) => readHook("context", fields, joinTexts(fields.content))],
  ["hook_success", (fields) => readHook("context", fields, joinTexts(fields.content))],
  ["hook_system_message", (fields) => readHook("notice", fields, joinTexts(fields.content))],
  ["hook_blocking_error", readBlocked],
  [
    "hook_stopped_continuation",
    (fields) => readHook("hook-blocked", fields, textOf(fields, "message") ?? ""),
  ],
  ["hook_non_blocking_error", (fields) => readHook("hook-failed", fields, textOf(fields, "stderr") ?? "")],
  [
    "hook_error_during_execution",
    (fields) => readHook("hook-failed", fields, textOf(fields, "content") ?? ""),
  ],
  ["file", readFile],
  ["edited_text_file", readFile],
  ["structured_output", ({ type: _type, ...data }) => event("structured-output", bound(data))],
  [
    "max_turns_reached",
    ({ type: _type, ...data }) => event("notice", bound({ about: "max_turns_reached", ...data })),
  ],
]);

/** Returns what is recorded of an attachment, or undefined when nothing is. */
function readAttachment(attachment: JsonObject): EntryContent | undefined {
  return readers.get(textOf(attachment, "type") ?? "")?.(attachment);
}

/** A prompt that was typed while the model worked; other queued texts are notices of the client. */
function readQueued(fields: JsonObject): EntryContent | undefined {
  const prompt = fields.prompt;
  const text = joinTexts(prompt);
  const mode = textOf(fields, "commandMode") ?? "prompt";
  if (mode !== "prompt" || fields.isMeta === true) {
    return text === "" ? undefined : event("notification", { text: boundText(text) });
  }
  const read = readPromptText(text);
  if (read.type === "happened") return read.event;
  const parts = toParts(prompt);
  return parts.length === 0 ? undefined : { kind: "message", role: "user", parts };
}

function readHook(name: string, fields: JsonObject, text: string): EventContent | undefined {
  if (text === "") return undefined;
  return event(name, { hook: hookOf(fields), text: boundText(text) });
}

function readBlocked(fields: JsonObject): EventContent {
  const error = objectOf(fields, "blockingError");
  return event("hook-blocked", {
    hook: hookOf(fields),
    text: boundText(textOf(error, "blockingError") ?? ""),
    command: textOf(error, "command") ?? "",
  });
}

function hookOf(fields: JsonObject): string {
  return textOf(fields, "hookName") ?? textOf(fields, "hookEvent") ?? "";
}

/** A file that the user mentioned, or changed meanwhile: which one, not what it holds. */
function readFile(fields: JsonObject): EventContent {
  const { type, ...facts } = describeFile(fields);
  const changed = fields.type === "edited_text_file";
  return event(changed ? "file-changed" : "attached", { type, ...facts });
}

function describeFile(fields: JsonObject) {
  const file = objectOf(objectOf(fields, "content"), "file");
  const base64 = textOf(file, "base64");
  const location = textOf(fields, "filename") ?? textOf(file, "filePath") ?? "";
  const mediaType =
    textOf(file, "type") ?? (base64 === undefined ? "text/plain" : "application/octet-stream");
  return referTo(mediaType.startsWith("image/") ? "image" : "file", base64, { mediaType, location });
}

function joinTexts(content: Json | undefined): string {
  const texts = Array.isArray(content) ? content.filter((each) => typeof each === "string") : [];
  return [...texts, ...blocksOf(content).map((block) => textOf(block, "text") ?? "")].join("\n").trim();
}

function event(name: string, data: JsonObject): EventContent {
  return { kind: "event", event: name, data };
}
