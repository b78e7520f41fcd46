import type { EntryContent, EventContent, Json, JsonObject } from "../../sessions/entry.ts";
import { bound, boundText } from "./bound.ts";
import { referTo } from "./file-reference.ts";
import { readPromptText } from "./prompt-text.ts";
import { toParts } from "./to-parts.ts";
import { blocksOf, objectOf, textOf } from "./wire.ts";

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
export function readAttachment(attachment: JsonObject): EntryContent | undefined {
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
