import { describe, expect, it } from "vitest";
import { assistant, at, prompt, user } from "../../support/claude-rows.ts";
import { read } from "../../support/claude-transcripts.ts";

describe("a message", () => {
  it("is one entry a row, with the id of the row and the time of the row", () => {
    const rows = [
      user("u1", "hello"),
      assistant("a1", "u1", [{ type: "thinking", thinking: "Hm.", signature: "c2ln" }]),
      assistant("a2", "a1", [{ type: "tool_use", id: "t1", name: "Bash", input: { command: "ls" } }]),
    ];
    const said = { kind: "message", role: "assistant", model: "claude-opus-5-5", clientMessageId: "msg_1" };
    expect(read(rows).entries).toEqual([
      prompt("u1", "hello"),
      {
        ...{ ...said, id: "a1", parent: "u1", at: at(1) },
        parts: [{ type: "thinking", text: "Hm.", signature: "c2ln" }],
      },
      {
        ...{ ...said, id: "a2", parent: "a1", at: at(1) },
        parts: [{ type: "tool-call", call: "t1", name: "Bash", input: { command: "ls" } }],
      },
    ]);
  });

  it("has the usage of an answer once, and later only what it grew by", () => {
    const text = [{ type: "text", text: "x" }];
    const usage = (input: number, output: number) => ({
      usage: { input_tokens: input, output_tokens: output, cache_read_input_tokens: 0 },
    });
    const rows = [
      assistant("a1", "u1", text, usage(10, 1)),
      assistant("a2", "a1", text, usage(10, 1)),
      assistant("a3", "a2", text, usage(10, 25)),
    ];
    expect(read(rows).entries.map((entry) => entry.kind === "message" && entry.usage)).toEqual([
      { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0 },
      undefined,
      { outputTokens: 24 },
    ]);
  });

  it("refers to pictures by their hash and never holds them", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGVsbG8=" } };
    const reference = {
      ...{ type: "image", mediaType: "image/png", bytes: 5 },
      sha256: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
    };
    const result = { type: "tool_result", tool_use_id: "t1", content: [image] };
    const rows = [
      user("u1", [{ type: "text", text: "look" }, image]),
      user("u2", [result], { toolUseResult: { type: "image", file: { base64: "aGVsbG8=" } } }),
    ];
    expect(read(rows).entries).toEqual([
      { ...prompt("u1", "look"), parts: [{ type: "text", text: "look" }, reference] },
      {
        ...{ id: "u2", parent: null, at: at(0), kind: "message", role: "tool" },
        parts: [{ type: "tool-result", call: "t1", output: [reference] }],
      },
    ]);
  });

  it("keeps of a tool's outcome what the call and its output do not say, up to a limit", () => {
    const result = { type: "tool_result", tool_use_id: "t1", content: "no", is_error: true };
    const outcome = {
      ...{ filePath: "/home/me/a", structuredPatch: ["x".repeat(70_000)], interrupted: false },
      ...{ originalFile: "old", oldString: "a", stderr: "" },
    };
    const row = user("u1", [result], { toolUseResult: outcome, toolDenialKind: "user-rejected" });
    const kept = { filePath: "/home/me/a", denied: "user-rejected", leftOut: ["structuredPatch"] };
    expect(read([row]).entries).toEqual([
      {
        ...{ id: "u1", parent: null, at: at(0), kind: "message", role: "tool" },
        parts: [
          { type: "tool-result", call: "t1", output: "no", failed: true },
          { type: "other", raw: { type: "tool-outcome", outcome: kept } },
        ],
      },
    ]);
  });

  it("that comes again with other content is a new entry that says what it replaces", () => {
    const rows = [
      user("u1", "one"),
      user("u1", "one"),
      user("u1", "two"),
      user("u2", "x", { parentUuid: "u1" }),
      user("u1", "two"),
      user("u1", "one"),
      user("u3", "y", { parentUuid: "u1" }),
    ];
    const { entries, notes } = read(rows);
    const [revision = "", back = ""] = notes.flatMap((note) => (note.type === "revised" ? [note.entry] : []));
    expect([revision, back]).toEqual([
      expect.stringMatching(/^u1-[0-9a-f]{12}$/),
      expect.stringMatching(/^u1-[0-9a-f]{12}-2$/),
    ]);
    expect(entries).toEqual([
      prompt("u1", "one"),
      { ...prompt(revision, "two"), replaces: "u1" },
      prompt("u2", "x", revision),
      { ...prompt(back, "one"), replaces: "u1" },
      prompt("u3", "y", back),
    ]);
  });
});
