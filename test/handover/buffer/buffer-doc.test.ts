import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseBuffer, rewriteBuffer } from "../../../src/handover/buffer/buffer-doc.ts";
import { addNotes, clearNotes, dismissCandidate } from "../../../src/handover/buffer/change-buffer.ts";
import { extractNotes } from "../../../src/handover/extract-notes.ts";
import { type Note, noteTags, renderOrigin, toNote } from "../../../src/handover/note.ts";
import { nastyLines, nastyText } from "../nasty-text.ts";

const source = renderOrigin({ spec: "login", role: "Builder", task: "2" });
const note = (text: string, given: Partial<Note> = {}): Note => ({ tag: "PATTERN", text, source, ...given });
const options = { updated: "2026-11-16T09:00:00+09:00" };

const anyNote = fc
  .record({ tag: fc.constantFrom(...noteTags), text: nastyText, source: nastyText })
  .map((given) => toNote({ ...given, text: `x ${given.text}` }))
  .filter((given) => given !== undefined);
const anyNotes = fc.uniqueArray(anyNote, { maxLength: 5, selector: (each) => JSON.stringify(each) });

describe("a buffer.md that is rendered", () => {
  // Seed 0: 5.1, 5.4
  it("has the form of the format", () => {
    const first = addNotes(
      undefined,
      [note("api: retry twice"), note("a page", { tag: "REFERENCE" })],
      options,
    );
    const second = addNotes(first.text, [note("api: wait", { source: "mail Builder, task 4" })], options);
    expect(second.text).toBe(`# Handover Buffer
**Updated**: 2026-11-16T09:00:00+09:00

## Knowledge Buffer
- [PATTERN] api: retry twice (source: login Builder, task 2)
- [REFERENCE] a page (source: login Builder, task 2)
- [PATTERN] api: wait (source: mail Builder, task 4)

## Skill Candidates
- **api**: Detected in login, mail (2 occurrences)
`);
    expect(second.candidates).toEqual([{ name: "api", specs: ["login", "mail"], occurrences: 2 }]);
  });

  // Seed 0: 5.2
  it("is read back as it was, whatever the notes hold", () => {
    fc.assert(
      fc.property(anyNotes, (notes) => {
        const doc = { updated: "now", notes, candidates: [] };
        expect(parseBuffer(rewriteBuffer(undefined, doc))).toEqual({ doc, problems: [] });
      }),
    );
  });

  it("keeps every line that is no note, and stays the same when nothing is new", () => {
    fc.assert(
      fc.property(anyNotes, nastyLines, nastyLines, fc.boolean(), (notes, one, two, isDos) => {
        const text = rewriteBuffer(undefined, { updated: "now", notes: notes.slice(0, 2), candidates: [] })
          .replace("## Skill", () => `${one}\n\n## Skill`)
          .concat(two)
          .replaceAll("\n", isDos ? "\r\n" : "\n");
        const { doc, problems } = parseBuffer(text);
        fc.pre(problems.length === 0);
        expect(rewriteBuffer(text, { ...doc, updated: "later" })).toBe(text);
        const { added, text: after } = addNotes(text, notes, options);
        expect(parseBuffer(after).doc.notes).toEqual([...doc.notes, ...added]);
        const lines = after.split(/\r?\n/);
        for (const line of `${one}\n${two}`.split("\n")) expect(lines).toContain(line.replace(/\r$/, ""));
      }),
    );
  });
});

describe("addNotes", () => {
  it("is not taken in by what looks like an item inside of HTML", () => {
    const text = addNotes(undefined, [note("one")], options).text.replace(
      "## Skill",
      "<div>\n- x\n\n## Skill",
    );
    const { text: after } = addNotes(text, [note("two")], options);
    expect(parseBuffer(after).doc.notes).toEqual([note("one"), note("two")]);
  });

  it("drops what is there, and what comes twice", () => {
    const { text } = addNotes(undefined, [note("one")], options);
    const again = addNotes(text, [note("one"), note("two"), note("two\n"), note(" ")], { updated: "later" });
    expect(again.added).toEqual([note("two")]);
    expect(addNotes(again.text, [note("one")], { updated: "much later" }).text).toBe(again.text);
  });

  it("drops what is there from another source, so that it makes no candidate", () => {
    const { text } = addNotes(undefined, [note("api: a")], options);
    const others = ["", "mail Builder, task 1"].map((each) => note("api: a", { source: each }));
    expect(addNotes(text, others, { updated: "later" })).toEqual({ text, added: [], candidates: [] });
    const [first, ...more] = addNotes(undefined, [note("api: a"), ...others], options).added;
    expect([first, more]).toEqual([note("api: a"), []]);
    const incident = note("api: a", { tag: "INCIDENT" });
    expect(addNotes(text, [incident], options).added).toEqual([incident]);
  });

  // Seed 0: 5.4
  it.each([
    { case: "one pattern", notes: [note("api: a")], names: [] },
    { case: "two of one category, in any case", notes: [note("api: a"), note("API: b")], names: ["api"] },
    { case: "two of different categories", notes: [note("api: a"), note("ui: b")], names: [] },
    { case: "two without a category", notes: [note("a"), note("b")], names: [] },
    { case: "two that say general themselves", notes: [note("general: a"), note("general: b")], names: [] },
    {
      case: "a pattern and an incident",
      notes: [note("api: a"), note("api: b", { tag: "INCIDENT" })],
      names: [],
    },
    { case: "an address, which is no category", notes: [note("https://a"), note("https://b")], names: [] },
    { case: "a category of another script", notes: [note("認証: a"), note("認証: b")], names: ["認証"] },
  ])("makes candidates of $case: $names", ({ notes, names }) => {
    expect(addNotes(undefined, notes, options).candidates.map(({ name }) => name)).toEqual(names);
  });

  it("counts a candidate on after a flush, and does not bring back one that was dismissed", () => {
    const { text } = addNotes(undefined, [note("api: a"), note("api: b")], options);
    const cleared = clearNotes(text, parseBuffer(text).doc.notes, "later");
    expect(parseBuffer(cleared).doc).toEqual({
      updated: "later",
      notes: [],
      candidates: [{ name: "api", specs: ["login"], occurrences: 2 }],
    });
    const more = addNotes(cleared, [note("api: c", { source: "mail Inspector, task 1" })], options);
    expect(parseBuffer(more.text).doc.candidates).toEqual([
      { name: "api", specs: ["login", "mail"], occurrences: 3 },
    ]);
    const dismissed = dismissCandidate(text, "API", "later") ?? "";
    expect(parseBuffer(dismissed).doc.candidates).toEqual([]);
    expect(dismissCandidate(dismissed, "api", "later")).toBeUndefined();
    const third = addNotes(dismissed, [note("api: c")], { ...options, dismissed: new Set(["api"]) });
    expect(third.candidates).toEqual([]);
  });

  it("refuses a file with the marks of a merge", () => {
    const text = "## Knowledge Buffer\n<<<<<<< HEAD\n- [PATTERN] a\n=======\n>>>>>>> b\n";
    expect(() => addNotes(text, [note("x")], options)).toThrow(
      expect.objectContaining({ code: "unfinished-merge" }),
    );
    expect(parseBuffer(text).problems.map(({ line }) => line)).toEqual([2, 4, 5]);
  });

  it("refuses a file that leaves a fence open, which is reported, unless nothing is new", () => {
    const text = `${addNotes(undefined, [note("x")], options).text}\n\`\`\`sh\n`;
    const { line, code } = { line: text.split("\n").length - 1, code: "left-open" };
    const refusal = expect.objectContaining({
      ...{ kind: "conflict", code },
      message: expect.stringContaining(`line ${line} of buffer.md`),
    });
    expect(() => addNotes(text, [note("y")], options)).toThrow(refusal);
    expect(() => clearNotes(text, [note("x")], "later")).toThrow(refusal);
    expect(addNotes(text, [note("x")], options).text).toBe(text);
    expect(parseBuffer(text).problems).toEqual([
      { code, line, message: expect.stringContaining("never closed with ```") },
    ]);
  });
});

it("reads what others have written, and takes out no more than was flushed", () => {
  const text = `# Handover Buffer
**Updated:** 2026-02-20

## Knowledge Buffer
- [INCIDENT] Write was refused (even with a mode). (source: retro Lead, session 2026-02-20)
* [PATTERN] a note over
  two lines
- [TODO] not a note
- [x] [PATTERN] not one either
<!-- - [PATTERN] nor this -->
`;
  const notes = [
    {
      tag: "INCIDENT",
      text: "Write was refused (even with a mode).",
      source: "retro Lead, session 2026-02-20",
    },
    { tag: "PATTERN", text: "a note over two lines", source: "" },
  ] as const;
  expect(parseBuffer(text)).toEqual({ doc: { updated: "2026-02-20", notes, candidates: [] }, problems: [] });
  expect(clearNotes(text, notes, "now")).toBe(`# Handover Buffer
**Updated**: now

## Knowledge Buffer
- [TODO] not a note
- [x] [PATTERN] not one either
<!-- - [PATTERN] nor this -->
`);
});

it("reads a note below an item that leaves a fence open", () => {
  const text = "## Knowledge Buffer\n- ```\n- [PATTERN] a note\n";
  expect(parseBuffer(text).doc.notes).toEqual([{ tag: "PATTERN", text: "a note", source: "" }]);
});

// Seed 0: 5.5
it("extracts the notes that a report says, and none that it shows", () => {
  const report = `# Done\r
All tests pass. The tag [PATTERN] is explained elsewhere.\r
- [PATTERN] api: retry\r
  twice\r
- **[INCIDENT]** the disk was full (source: mail Builder, task 9)\r
3. [REFERENCE]: a page\r
[PATTERN] alone on its line\r
and on\r
\r
not any more\r
> [PATTERN] quoted\r
\`\`\`\r
- [PATTERN] shown\r
\`\`\`\r
<!-- [PATTERN] hidden -->\r
- [PATTERN]\r
- [OTHER] unknown`;
  expect(extractNotes(report, source)).toEqual([
    { ...note("api: retry twice"), line: 3 },
    { ...note("the disk was full", { tag: "INCIDENT", source: "mail Builder, task 9" }), line: 5 },
    { ...note("a page", { tag: "REFERENCE" }), line: 6 },
    { ...note("alone on its line and on"), line: 7 },
  ]);
});
