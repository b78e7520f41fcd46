import { chatEvents } from "../../sessions/chat-events.ts";
import type { Entry, EntryContent, Json, MessageContent, Part } from "../../sessions/entry.ts";
import { isMergeNote } from "../../sessions/merged-id.ts";
import { observationIn, toSeenMessage } from "../../sessions/observations.ts";
import { scrubbedEvent } from "../../sessions/scrub-note.ts";
import type { HitKind } from "../../sessions/search-index.ts";

/** What can be found of an entry. */
export interface EntryTexts {
  readonly kind: HitKind;
  /** No phrase goes from one into another. */
  readonly texts: readonly string[];
  /** The names of the tools that it calls. */
  readonly tools: readonly string[];
  /** What it calls, by the client's own id of the call. */
  readonly calls: readonly (readonly [call: string, tool: string])[];
  /** The calls that it answers. */
  readonly answers: readonly string[];
}

/**
 * Returns the texts of an entry that people look for; undefined when it has none.
 *
 * These are what was said and thought, names, inputs and outputs of tools, summaries, and what events tell. The state that
 * a checkpoint keeps is not among them, nor what a merge notes about itself, nor what is opaque: signatures and encoded data.
 */
export function textsOf(entry: Entry): EntryTexts | undefined {
  if (isMergeNote(entry.id)) return undefined;
  const seen = toSeenMessage(entry);
  if (seen === undefined && observationIn(entry) !== undefined) return undefined;
  const found = seen === undefined ? ofContent(entry) : ofMessage(seen);
  return found.texts.some((text) => text.trim() !== "") ? found : undefined;
}

const nothing = { tools: [], calls: [], answers: [] } as const;

/** What a draft says becomes a message, or was never said. */
const untold: ReadonlySet<string> = new Set([scrubbedEvent, chatEvents.draft]);

function ofContent(content: EntryContent): EntryTexts {
  switch (content.kind) {
    case "message":
      return ofMessage(content);
    case "summary":
      return { ...nothing, kind: "summary", texts: [content.text] };
    case "round":
      return { ...nothing, kind: "round", texts: listTexts(content.data) };
    case "event": {
      const kind = content.event === "titled" ? "title" : "event";
      return { ...nothing, kind, texts: untold.has(content.event) ? [] : listTexts(content.data) };
    }
    case "other":
      return { ...nothing, kind: "other", texts: listTexts(content.raw) };
    case "checkpoint":
      return { ...nothing, kind: "other", texts: [] };
  }
}

function ofMessage({ role, parts }: MessageContent): EntryTexts {
  const calls = parts.filter((part) => part.type === "tool-call");
  return {
    kind: role,
    texts: parts.flatMap(ofPart),
    tools: calls.map(({ name }) => name),
    calls: calls.map(({ call, name }) => [call, name]),
    answers: parts.flatMap((part) => (part.type === "tool-result" ? [part.call] : [])),
  };
}

function ofPart(part: Part): readonly string[] {
  switch (part.type) {
    case "text":
    case "thinking":
      return [part.text];
    case "tool-call":
      return [part.name, ...listTexts(part.input)];
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
