import type { EntryId, SessionId, Strand } from "./ids.ts";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Nested deeper than this, a value can overflow the stack of whoever reads it back. */
export const maxDepth = 64;

export type Role = "user" | "assistant" | "tool";

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}
export interface ThinkingPart {
  readonly type: "thinking";
  readonly text: string;
  /** What the model's provider wants back unchanged; opaque to us. */
  readonly signature?: string;
}
/** Stands in the place of a signature before what Anthropic's API sends of a thought that it does not show. */
export const redactedMark = "redacted_thinking:";
export interface ToolCallPart {
  readonly type: "tool-call";
  readonly call: string;
  readonly name: string;
  readonly input: Json;
}
export interface ToolResultPart {
  readonly type: "tool-result";
  readonly call: string;
  readonly output: Json;
  readonly failed?: boolean;
}
/** A picture or another file that was part of a message, by reference: its bytes are not in the log. */
export interface FilePart {
  readonly type: "image" | "file";
  readonly mediaType: string;
  readonly name?: string;
  readonly location?: string;
  readonly sha256?: string;
  readonly bytes?: number;
}
/** A part of a kind that this version does not know, carried along as it came. */
export interface OtherPart {
  readonly type: "other";
  readonly raw: JsonObject;
}
export type Part = TextPart | ThinkingPart | ToolCallPart | ToolResultPart | FilePart | OtherPart;

export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

interface EntryBase {
  readonly id: EntryId;
  /** Where it was recorded; in a fork, the shared entries still name their origin. */
  readonly session: SessionId;
  /** Its place in the session: 1, 2, 3 … in order of arrival. */
  readonly seq: number;
  /** The entry that it follows; null begins a new root, as after a reset. */
  readonly parent: EntryId | null;
  readonly strand: Strand;
  readonly at: Date;
}

export interface MessageContent {
  readonly kind: "message";
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly model?: string;
  readonly usage?: Usage;
  /** The client's own id of the message, where it records one message as several entries; views join them by it. */
  readonly clientMessageId?: string;
  /** The entry that the client recorded before and then recorded again with this content. */
  readonly replaces?: EntryId;
  /** Whether it ends where it was cut off: by the person, by a lost connection, or by the end of the process. */
  readonly interrupted?: true;
  /** Whether it only asks Carryon for something, or is what Carryon answered: no part of what the session is about. */
  readonly echo?: true;
}
/** What stands for earlier entries after a compaction. */
export interface SummaryContent {
  readonly kind: "summary";
  readonly text: string;
  /** The last entry that the summary stands for; null when a client does not say. */
  readonly replaces: EntryId | null;
  /** Entries before it that stay word for word; in what the model sees they follow the summary. */
  readonly kept?: readonly EntryId[];
}
/** One round of an instructor and its worker. */
export interface RoundContent {
  readonly kind: "round";
  readonly number: number;
  readonly data: JsonObject;
}
/** The work state at a moment. */
export interface CheckpointContent {
  readonly kind: "checkpoint";
  readonly state: JsonObject;
}
/** Something that happened: started, stopped, denied, reset, titled, tagged, ended … */
export interface EventContent {
  readonly kind: "event";
  readonly event: string;
  readonly data: JsonObject;
}
/** A kind of a newer writer, or a client's own record worth keeping; carried along as it came. */
export interface OtherContent {
  readonly kind: "other";
  readonly raw: JsonObject;
}

export type EntryContent =
  | MessageContent
  | SummaryContent
  | RoundContent
  | CheckpointContent
  | EventContent
  | OtherContent;

export type Message = EntryBase & MessageContent;

/** One thing that was recorded in a session. Entries are only ever added. */
export type Entry = EntryBase & EntryContent;

/** An entry on its way into the log. Its id is the caller's, so that a retry is safe. */
export type NewEntry = EntryContent & {
  readonly id: EntryId;
  readonly at: Date;
  /** `main` unless given. */
  readonly strand?: Strand;
  /** The entry before it on its strand unless given; null begins a new root. */
  readonly parent?: EntryId | null;
};

/** Returns the words of a message without its tool calls and thinking. */
export function messageText(message: MessageContent): string {
  return message.parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** The events that a chat records beside the talk: docs/formats/chat.md. */
export const chatEvents = {
  started: "started",
  resumed: "resumed",
  /** Begins a new stretch: what was before stays in the log, and no model is told of it any more. */
  reset: "reset",
  /** What was not yet a message at a save: the line that was being typed, and a reply that was coming in. */
  draft: "draft",
  compacted: "compacted",
  modelChanged: "model-changed",
} as const;

/** The events that a run records beside the talk: docs/formats/run.md. */
export const runEvents = {
  started: "started",
  resumed: "resumed",
  /** A call that may change something is about to be made. */
  callStarted: "call-started",
} as const;
