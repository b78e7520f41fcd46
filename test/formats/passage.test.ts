import { describe, expect, it } from "vitest";
import { type Piece, toPassage } from "../../src/formats/reading/to-passage.ts";
import type { Entry, EntryContent, Json, Part } from "../../src/sessions/entry.ts";

function piecesOf(content: EntryContent): readonly Piece[] {
  const place = { id: "a", session: "s", seq: 1, parent: null, strand: "main", at: new Date(0) };
  return toPassage({ ...place, ...content } as unknown as Entry).pieces;
}

const part = (one: Part) => piecesOf({ kind: "message", role: "assistant", parts: [one] })[0];
const call = (input: Json) => part({ type: "tool-call", call: "1", name: "Tool", input });
const result = (output: Json) => part({ type: "tool-result", call: "1", output });
const folded = (label: string, hint: string, text: string, language?: string, isFailure = false) => ({
  ...{ type: "folded", label, hint, text, language, isFailure },
});

describe("a call on a page", () => {
  it("shows a command as one, and only its first line folded", () => {
    expect(call({ command: "make\nmake test" })).toEqual(folded("Tool", "make", "make\nmake test", "bash"));
  });

  it("shows a written file in its language, and an unknown one as text", () => {
    expect(call({ file_path: "a.RS", content: "fn" })).toEqual(folded("Tool", "a.RS", "fn", "rust"));
    expect(call({ path: "a.constructor", content: "x" })).toEqual(folded("Tool", "a.constructor", "x"));
    expect(call({ notebook_path: "Makefile", content: "x" })).toEqual(folded("Tool", "Makefile", "x"));
  });

  it("shows an edit as lines that went and came", () => {
    expect(call({ file_path: "a.ts", old_string: "1\n2", new_string: "3" })).toEqual(
      folded("Tool", "a.ts", "-1\n-2\n+3", "diff"),
    );
  });

  it.each([
    ["a pattern", { pattern: "p", query: "q" }, "p"],
    ["a query", { query: "q", url: "u" }, "q"],
    ["an address", { url: "u", description: "d" }, "u"],
    ["a description", { description: "d" }, "d"],
    ["nothing", ["x"], ""],
  ])("names %s where there is nothing better to tell calls apart", (_, input, hint) => {
    expect(call(input)).toEqual(folded("Tool", hint, JSON.stringify(input, null, 2), "json"));
  });

  it("cuts a long first line", () => {
    expect(call({ description: "x".repeat(200) })).toMatchObject({ hint: `${"x".repeat(120)}…` });
  });
});

describe("a result on a page", () => {
  it.each<[string, Json, string]>([
    ["both outputs of a command", { stdout: "out", stderr: "err" }, "out\nerr"],
    ["one output where the other is empty", { stdout: "out", stderr: "" }, "out"],
    ["the text of blocks", [{ type: "text", text: "a" }, "b"], "a\nb"],
    ["anything else as JSON", { n: 1 }, '{\n  "n": 1\n}'],
    ["no value", null, "null"],
  ])("is read as %s", (_, output, text) => {
    expect(result(output)).toMatchObject({ label: "Result", text });
  });

  it("is marked when the call failed", () => {
    expect(part({ type: "tool-result", call: "1", output: "no", failed: true })).toEqual(
      folded("Failed", "no", "no", undefined, true),
    );
  });
});

describe("other parts and entries on a page", () => {
  it("name an image or a file by its name, its place or its type", () => {
    const image = { type: "image", mediaType: "image/png", location: "shot.png", name: "shot" } as const;
    const { name, ...placed } = image;
    const { location, ...bare } = placed;
    expect([image, placed, bare].map((each) => part(each as Part))).toEqual([
      { type: "note", text: "image shot" },
      { type: "note", text: "image shot.png" },
      { type: "note", text: "image image/png" },
    ]);
  });

  it("say what they are where they are no talk", () => {
    expect(part({ type: "other", raw: { type: "odd" } })).toMatchObject({ label: "Record", hint: "odd" });
    expect(piecesOf({ kind: "event", event: "titled", data: {} })).toEqual([
      { type: "note", text: "titled" },
    ]);
    expect(piecesOf({ kind: "event", event: "moved", data: { to: "b", times: 2 } })).toEqual([
      { type: "note", text: "moved (to: b, times: 2)" },
    ]);
    expect(piecesOf({ kind: "other", raw: { type: "odd" } })[0]).toMatchObject({ hint: "odd" });
    const round = {
      kind: "round",
      number: 3,
      data: { instruction: "Add a test" },
    } as unknown as EntryContent;
    expect(piecesOf(round)[0]).toMatchObject({ label: "Round 3", hint: "Add a test" });
    const state = { kind: "checkpoint", state: { working_on: "the list" } } as unknown as EntryContent;
    expect(piecesOf(state)[0]).toMatchObject({ label: "Checkpoint", hint: "the list" });
  });
});
