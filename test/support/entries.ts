import fc from "fast-check";
import type { Entry, EntryContent, Json, JsonObject, NewEntry, Part } from "../../src/sessions/entry.ts";
import {
  type EntryId,
  parseEntryId,
  parseSessionId,
  parseStrand,
  type SessionId,
} from "../../src/sessions/ids.ts";
import type { ProjectId } from "../../src/sessions/project.ts";
import type { NewFork, NewSession } from "../../src/sessions/session.ts";
import { titled } from "../../src/sessions/session-events.ts";
import { anyCharacter } from "./any-character.ts";

export const start = new Date("2026-11-15T12:00:00.000Z");

/** Returns a moment some seconds after `start`. */
export function later(seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}

/** A user message with an id of its own. */
export function said(
  id: string,
  text: string,
  more: Partial<Pick<NewEntry, "at" | "strand" | "parent">> = {},
): NewEntry {
  return {
    id: parseEntryId(id),
    at: start,
    kind: "message",
    role: "user",
    parts: [{ type: "text", text }],
    ...more,
  };
}

/** An event that gives a session a title, some seconds after `start`. */
export function titledAt(id: string, title: string, seconds: number): NewEntry {
  return titled(parseEntryId(id), later(seconds), title);
}

export function newSession(id: string, project: ProjectId, more: Partial<NewSession> = {}): NewSession {
  const session: SessionId = parseSessionId(id);
  return {
    id: session,
    project,
    client: "carryon-append",
    cwd: "/work",
    machine: "here",
    startedAt: start,
    ...more,
  };
}

/** A fork of the session `one` unless another is named. */
export function newFork(id: string, from = "one"): NewFork {
  return {
    id: parseSessionId(id),
    from: parseSessionId(from),
    cwd: "/work",
    machine: "here",
    startedAt: start,
  };
}

/** Any text that a tool may print: NUL, lone surrogates and every script included. */
export const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "\0",
    "\ud800",
    "\udfff lone",
    "a\r\nb",
    "日本語",
    "👩‍👩‍👧",
    "\u202e",
    "__proto__",
    "x".repeat(5000),
  ),
);

const anyJson: fc.Arbitrary<Json> = fc
  .jsonValue({ maxDepth: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)));
const anyObject: fc.Arbitrary<JsonObject> = fc
  .dictionary(
    fc.string().filter((key) => key !== "__proto__"),
    anyJson,
    { maxKeys: 4 },
  )
  .map((value) => JSON.parse(JSON.stringify(value)));

const anyPart: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: anyText }),
  fc.record(
    { type: fc.constant("thinking" as const), text: anyText, signature: anyText },
    { requiredKeys: ["type", "text"] },
  ),
  fc.record({ type: fc.constant("tool-call" as const), call: anyText, name: anyText, input: anyJson }),
  fc.record(
    { type: fc.constant("tool-result" as const), call: anyText, output: anyJson, failed: fc.boolean() },
    { requiredKeys: ["type", "call", "output"] },
  ),
  fc.record(
    {
      type: fc.constantFrom("image" as const, "file" as const),
      mediaType: anyText,
      name: anyText,
      bytes: fc.nat(),
    },
    { requiredKeys: ["type", "mediaType"] },
  ),
  fc.record({ type: fc.constant("other" as const), raw: anyObject }),
);

const anyEntryId: fc.Arbitrary<EntryId> = fc.uuid().map((uuid) => parseEntryId(`ent_${uuid}`));

const anyContent: fc.Arbitrary<EntryContent> = fc.oneof(
  fc.record(
    {
      kind: fc.constant("message" as const),
      role: fc.constantFrom("user" as const, "assistant" as const, "tool" as const),
      parts: fc.array(anyPart, { maxLength: 4 }),
      model: anyText,
      usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }),
      clientMessageId: anyText,
      replaces: anyEntryId,
      interrupted: fc.constant(true as const),
      echo: fc.constant(true as const),
    },
    { requiredKeys: ["kind", "role", "parts"] },
  ),
  fc.record(
    {
      kind: fc.constant("summary" as const),
      text: anyText,
      replaces: fc.option(anyEntryId),
      kept: fc.array(anyEntryId, { maxLength: 3 }),
    },
    { requiredKeys: ["kind", "text", "replaces"] },
  ),
  fc.record({ kind: fc.constant("round" as const), number: fc.nat(), data: anyObject }),
  fc.record({ kind: fc.constant("checkpoint" as const), state: anyObject }),
  fc.record({
    kind: fc.constant("event" as const),
    event: fc.constantFrom("started", "denied", "ended", "resumed"),
    data: anyObject,
  }),
  fc.record({
    kind: fc.constant("other" as const),
    raw: fc.oneof(
      anyObject,
      anyObject.map((raw) => ({ ...raw, kind: "hologram" })),
      anyObject.map((raw) => ({ ...raw, kind: "message" })),
    ),
  }),
);

export const anyNewEntry: fc.Arbitrary<NewEntry> = fc
  .record({
    id: anyEntryId,
    at: fc.date({ min: new Date("1990-01-01"), max: new Date("2100-01-01"), noInvalidDate: true }),
    strand: fc.constantFrom("main", "worker", "agent-1").map(parseStrand),
    content: anyContent,
  })
  .map(({ content, ...envelope }) => ({ ...content, ...envelope }));

/** Collects a stream. */
export function collect<Item>(stream: AsyncIterable<Item>): Promise<Item[]> {
  return Array.fromAsync(stream);
}

/** Reduces entries to what tests compare when ids are what matters. */
export function idsOf(entries: readonly Entry[]): readonly string[] {
  return entries.map((entry) => entry.id);
}
