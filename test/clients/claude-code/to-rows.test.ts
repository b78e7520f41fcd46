import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tellQueued } from "../../../src/clients/claude-code/to-entries.ts";
import { toRows as write } from "../../../src/clients/claude-code/to-rows.ts";
import { startTranscript } from "../../../src/clients/claude-code/transcript-state.ts";
import type {
  Entry,
  EventContent,
  Json,
  JsonObject,
  MessageContent,
  NewEntry,
  Part,
} from "../../../src/sessions/entry.ts";
import { type EntryId, mainStrand, parseSessionId } from "../../../src/sessions/ids.ts";
import { hookStrand } from "../../../src/sessions/observations.ts";
import { cases } from "../../support/cases.ts";
import { anyTranscript, fixture, fixtures, read, sessionOfClient } from "../../support/claude-transcripts.ts";
import { conversationOf, leafOf } from "../../support/client-conversation.ts";
import { describeOurs } from "../../support/described-talk.ts";
import { checkConversation } from "../../support/model-server/anthropic/check-conversation.ts";
import { checkShape } from "../../support/model-server/anthropic/check-shape.ts";
import { blocksOf, type WireMessage } from "../../support/model-server/anthropic/wire.ts";

const target = {
  ...{ id: sessionOfClient, session: parseSessionId(sessionOfClient), cwd: "/home/me", version: "2.1.325" },
  branches: new Map([[parseSessionId(sessionOfClient), "main"]]),
};

/** Returns entries as a store would have them. */
function stored(entries: readonly NewEntry[]): readonly Entry[] {
  const session = parseSessionId(sessionOfClient);
  return entries.map(
    (entry, at) => ({ strand: mainStrand, parent: null, ...entry, session, seq: at + 1 }) as Entry,
  );
}

/** What a model is told of a talk and of its subagents; a picture is a note where it was written. */
function talkOf(entries: readonly NewEntry[]): readonly unknown[] {
  const strands = new Set(entries.map(({ strand = mainStrand }) => strand));
  const told = [...strands].toSorted().map((strand) =>
    conversationOf(entries, leafOf(entries, strand))
      .map(describeOurs)
      .filter((message) => !JSON.stringify(message).includes("No result was recorded")),
  );
  return JSON.parse(JSON.stringify(told).replace(/"\[Image: [^"]*"/g, '"image"'));
}

/** Writes what was read, and reads it again. */
function again(entries: readonly NewEntry[]): readonly NewEntry[] {
  return write(stored(entries), target).files.flatMap(
    ({ agent, rows }) =>
      read(JSON.parse(JSON.stringify(rows)), startTranscript(sessionOfClient, agent)).entries,
  );
}

/** Returns the messages of the API that the client makes of the rows from the last one to the first. */
function messagesOf(rows: readonly JsonObject[]): readonly WireMessage[] {
  const byId = new Map(rows.map((row) => [row.uuid, row]));
  const path: JsonObject[] = [];
  let row = rows.findLast(({ uuid }) => uuid !== undefined);
  for (; row !== undefined; row = byId.get(row.parentUuid ?? "")) path.unshift(row);
  return path
    .map(({ message }) => message as unknown as WireMessage)
    .map(({ role, content }) => ({ role, content }));
}

const session = parseSessionId("session-1");
const seconds = (at: number) => new Date(Date.UTC(2026, 10, 15, 12, 0, at));

const time = (at: number) => seconds(at).toISOString();
const answered = (block: JsonObject): JsonObject => ({
  ...{ role: "assistant", model: "claude-sonnet-4-5", id: `msg_${block.type}` },
  content: [{ ...block, ...(block.type === "tool_use" && { name: "Bash", input: { command: "ls" } }) }],
});
const result = { type: "tool_result", tool_use_id: "t1", content: "a.ts" };

/** Returns entries of some client that follow one another. */
function talk(contents: readonly (MessageContent | EventContent)[]): readonly Entry[] {
  return contents.map((content, at) => {
    const id = `ent_${at}` as EntryId;
    return {
      ...{ ...content, id, session, seq: at + 1, at: seconds(at), strand: mainStrand },
      parent: at === 0 ? null : (`ent_${at - 1}` as EntryId),
    };
  });
}

const anyOutput: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>("", "out", [], {}, null, [1], [{ type: "text", text: "" }]),
  fc.constantFrom<Json>([{ type: "image", mediaType: "image/png" }], [{ type: "table", rows: 1 }]),
);
const anyPart: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant("text" as const), text: fc.constantFrom("", " \n", "one", "\ud800") }),
  fc.record({ type: fc.constant("thinking" as const), text: fc.constant("hm"), signature: fc.constant("s") }),
  fc.constant<Part>({ type: "image", mediaType: "image/png" }),
  fc.constant<Part>({ type: "other", raw: { type: "of_another_client" } }),
);
const anyId = fc.constantFrom("call_0", "call_1", "functions.read:0");
const anyTurn: fc.Arbitrary<readonly MessageContent[]> = fc.oneof(
  fc
    .record({
      kind: fc.constant("message" as const),
      role: fc.constantFrom("user" as const, "assistant" as const),
      parts: fc.array(anyPart, { maxLength: 3 }),
      model: fc.constant("gpt-5"),
    })
    .map((message) => [message]),
  fc
    .record({
      call: anyId,
      name: fc.constantFrom("Bash", "mcp.some/tool", ""),
      input: fc.constantFrom<Json>({}, "text", null),
      output: anyOutput,
      failed: fc.boolean(),
      hasResult: fc.boolean(),
    })
    .map(({ call, name, input, output, failed, hasResult }): readonly MessageContent[] => [
      { kind: "message", role: "assistant", parts: [{ type: "tool-call", call, name, input }] },
      ...(hasResult
        ? [
            {
              kind: "message" as const,
              role: "tool" as const,
              parts: [{ type: "tool-result" as const, call, output, failed }],
            },
          ]
        : []),
    ]),
  fc.constant<readonly MessageContent[]>([
    { kind: "message", role: "tool", parts: [{ type: "tool-result", call: "of no call", output: "lost" }] },
  ]),
);

/** The client leaves out a call that has no result before the next thing is said. */
function withoutOpenCalls(messages: readonly WireMessage[]): readonly WireMessage[] {
  const answered = new Set(
    messages.flatMap(({ content }) => blocksOf(content).map(({ tool_use_id: call }) => call)),
  );
  return messages
    .map((message) => ({
      ...message,
      content: blocksOf(message.content).filter(({ type, id }) => type !== "tool_use" || answered.has(id)),
    }))
    .filter(({ content }) => content.length > 0);
}

describe("rows that are written from entries", () => {
  it.each(fixtures)("say the same when they are read again: %s", (name) => {
    const { entries } = read(fixture(name));
    expect(talkOf(again(entries))).toEqual(talkOf(entries));
  });

  it("say the same when they are read again, for any transcript", () => {
    fc.assert(
      fc.property(anyTranscript, (rows) => {
        const { entries } = read(rows);
        expect(talkOf(again(entries))).toEqual(talkOf(entries));
      }),
      { numRuns: cases(2000) },
    );
  });

  it("are a conversation that the model takes, whichever client the entries are from", () => {
    fc.assert(
      fc.property(fc.array(anyTurn, { minLength: 1, maxLength: 8 }), (turns) => {
        const [file] = write(talk(turns.flat()), target).files;
        const rows: readonly JsonObject[] = JSON.parse(JSON.stringify(file?.rows ?? []));
        const messages = [...withoutOpenCalls(messagesOf(rows)), { role: "user", content: "go on" }];
        const body = { model: "claude", max_tokens: 1, messages };
        expect([...checkShape(body), ...checkConversation(messages)]).toEqual([]);
      }),
      { numRuns: cases(2000) },
    );
  });

  it("have the calls and results that only hooks saw at the end of the talk, each once", () => {
    const seen = (id: string, event: string, data: JsonObject) => ({
      ...{ kind: "event" as const, event, data, id: id as EntryId, session, seq: 9, at: seconds(9) },
      ...{ strand: hookStrand, parent: null },
    });
    const { files, fidelity } = write(
      [
        ...talk([{ kind: "message", role: "user", parts: [{ type: "text", text: "go" }] }]),
        seen("seen-PreToolUse-cabc", "call-seen", { tool: "Bash", input: { command: "ls" } }),
        seen("seen-PostToolUse-rabc", "result-seen", { tool: "Bash", output: { stdout: "a" } }),
        seen("seen-PreToolUse-cdef", "call-seen", { tool: "Bash", input: { command: "sleep 9" } }),
        seen("seen-PostToolUse-rxyz", "result-seen", { tool: "Bash", output: { stdout: "of what?" } }),
      ],
      target,
    );
    const messages = messagesOf(files[0]?.rows ?? []);
    expect(messages.flatMap(({ content }) => blocksOf(content))).toMatchObject([
      { text: "go" },
      { type: "tool_use", id: "toolu_abc", input: { command: "ls" } },
      { type: "tool_result", tool_use_id: "toolu_abc", content: '{"stdout":"a"}' },
      { type: "tool_use", id: "toolu_def" },
      { type: "tool_result", tool_use_id: "toolu_def", is_error: true },
    ]);
    expect([...checkConversation(messages)]).toEqual([]);
    expect(fidelity).toEqual({
      kept: { prompt: 1, call: 2, result: 1 },
      changed: { "call without a result, closed as interrupted": 1 },
      leftOut: { "result that only a hook saw, without its call": 1 },
    });
  });

  it("have a prompt that was typed while the model worked where the model heard it", () => {
    const rows = [
      { type: "user", uuid: "u1", parentUuid: null, message: { role: "user", content: "go" } },
      { type: "assistant", uuid: "a1", parentUuid: "u1", message: answered({ type: "tool_use", id: "t1" }) },
      { type: "queue-operation", operation: "enqueue", timestamp: time(2), content: "and the docs" },
      { type: "user", uuid: "r1", parentUuid: "a1", message: { role: "user", content: [result] } },
      { type: "assistant", uuid: "a2", parentUuid: "r1", message: answered({ type: "text", text: "done" }) },
    ].map((row, at) => ({ timestamp: time(at), sessionId: sessionOfClient, ...row }));
    const { state, entries } = tellQueued(read(rows as readonly JsonObject[]));
    expect(state.queue).toEqual([expect.objectContaining({ text: null })]);
    const { files, fidelity } = write(stored(entries), target);
    const told = messagesOf(files[0]?.rows ?? []).map(({ content }) =>
      blocksOf(content).map(({ type, text }) => text ?? type),
    );
    expect(told).toEqual([["go"], ["tool_use"], ["tool_result"], ["and the docs"], ["done"]]);
    expect(fidelity.kept).toEqual({ prompt: 2, call: 1, result: 1, answer: 1 });
  });

  it("follow the row before an answer whose parent was lost, and name what the way does not pass", () => {
    const said = (id: string, role: "user" | "assistant", parent: string | null, at: number): Entry => ({
      ...{ kind: "message", role, id: id as EntryId, parent: parent as EntryId | null, session, seq: at },
      ...{ at: seconds(at), strand: mainStrand, parts: [{ type: "text", text: id }] },
    });
    const lost = write([said("u1", "user", null, 1), said("a1", "assistant", null, 2)], target);
    expect(messagesOf(lost.files[0]?.rows ?? [])).toHaveLength(2);
    expect(lost.context).toEqual(["a1", "u1"]);
    const rewound = write([said("u1", "user", null, 1), said("u2", "user", null, 2)], target);
    expect(rewound.context).toEqual(["u2"]);
    expect(rewound.fidelity.leftOut).toEqual({ "prompt of another path": 1 });
  });

  it("name what is left out in words that are not the store's", () => {
    const events = ["context", "attached", "notice", "hook-failed", "pull-request", "titled", "deployed"];
    const { fidelity } = write(
      talk(events.map((event) => ({ kind: "event", event, data: { hook: "Stop" } }))),
      target,
    );
    expect(Object.keys(fidelity.leftOut)).toEqual([
      ...["text that a hook added", "mentioned file", "message of the client", "error of a hook"],
      ...["pull request link", "deployed event"],
    ]);
  });
});
