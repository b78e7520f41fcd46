import {
  chatEvents,
  type Entry,
  type EntryContent,
  type Json,
  type MessageContent,
  type Part,
} from "../../sessions/entry.ts";
import { isMergeNote } from "../../sessions/merged-id.ts";
import { observationIn, toSeenMessage } from "../../sessions/observations.ts";
import { isOwnCall, isOwnEcho } from "../../sessions/own-echo.ts";
import { scrubbedEvent } from "../../sessions/scrub-note.ts";
import type { HitKind } from "../../sessions/search-index.ts";

/** Whose words an entry has, as far as it matters for what comes first: of a model, what it thought and what it called stand apart. */
export type Voice = HitKind | "thought" | "call";

/** What can be found of an entry. */
export interface EntryTexts {
  readonly kind: HitKind;
  readonly voice: Voice;
  /** No phrase goes from one into another. */
  readonly texts: readonly string[];
  /** What it calls, by the client's own id of the call. */
  readonly calls: readonly (readonly [call: string, tool: string])[];
  /** The calls that it answers. */
  readonly answers: readonly string[];
}

/**
 * Returns the texts of an entry that people look for; undefined when it has none.
 *
 * These are what was said and thought, names, inputs and outputs of tools, summaries, and what events tell. The state that
 * a checkpoint keeps is not among them, nor what a merge notes about itself or Carryon put into a session, nor what is opaque:
 * signatures and encoded data.
 */
export function textsOf(entry: Entry): EntryTexts | undefined {
  if (isMergeNote(entry.id) || isOwnEcho(entry)) return undefined;
  const seen = toSeenMessage(entry);
  if (seen === undefined && observationIn(entry) !== undefined) return undefined;
  const found = seen === undefined ? ofContent(entry) : ofMessage(seen);
  return found.texts.some((text) => text.trim() !== "") ? found : undefined;
}

/** Returns the texts of the title that a session began with. */
export function titleTexts(title: string): EntryTexts {
  return ofKind("title", [title]);
}

function ofKind(kind: HitKind, texts: readonly string[]): EntryTexts {
  return { kind, voice: kind, texts, calls: [], answers: [] };
}

/** What a draft says becomes a message, or was never said. */
const untold: ReadonlySet<string> = new Set([scrubbedEvent, chatEvents.draft]);

function ofContent(content: EntryContent): EntryTexts {
  switch (content.kind) {
    case "message":
      return ofMessage(content);
    case "summary":
      return ofKind("summary", [content.text]);
    case "round":
      return ofKind("round", listTexts(content.data));
    case "event": {
      const kind = content.event === "titled" ? "title" : "event";
      return ofKind(kind, untold.has(content.event) ? [] : listTexts(content.data));
    }
    case "other":
      return ofKind("other", listTexts(content.raw));
    case "checkpoint":
      return ofKind("other", []);
  }
}

function ofMessage({ role, parts }: MessageContent): EntryTexts {
  const calls = parts.filter((part) => part.type === "tool-call");
  return {
    kind: role,
    voice: voiceOf(role, parts),
    texts: parts.flatMap(ofPart),
    calls: calls.map(({ call, name }) => [call, name]),
    answers: parts.flatMap((part) => (part.type === "tool-result" ? [part.call] : [])),
  };
}

function voiceOf(role: MessageContent["role"], parts: readonly Part[]): Voice {
  const has = (type: Part["type"]) => parts.some((part) => part.type === type);
  if (has("tool-result")) return "tool";
  if (role !== "assistant" || has("text")) return role;
  return has("tool-call") ? "call" : "thought";
}

function ofPart(part: Part): readonly string[] {
  switch (part.type) {
    case "text":
    case "thinking":
      return [part.text];
    case "tool-call":
      return isOwnCall(part) ? [] : [part.name, ...listTexts(part.input)];
    case "tool-result":
      return listTexts(part.output);
    case "image":
    case "file":
      return [part.name ?? "", part.location ?? ""];
    case "other":
      // It says once more what the call and its result say.
      return part.raw.type === "tool-outcome" ? [] : listTexts(part.raw);
  }
}

/** What is opaque, and what says of which kind a value is: that would be found everywhere. */
const leftOut: ReadonlySet<string> = new Set(["signature", "encrypted_content", "encryptedContent", "type"]);

/** Lists the texts and numbers of a value; the names of its fields are the same everywhere, and so nobody finds anything by them. */
function listTexts(value: Json): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(listTexts);
  return Object.entries(value).flatMap(([name, each]) => (leftOut.has(name) ? [] : listTexts(each)));
}
