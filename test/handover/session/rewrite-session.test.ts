import { describe, expect, it } from "vitest";
import { draftSession } from "../../../src/handover/follow-moment.ts";
import { parseSession } from "../../../src/handover/parse-session.ts";
import { polishSession } from "../../../src/handover/session/polish-session.ts";
import { rewriteSession } from "../../../src/handover/session/rewrite-session.ts";
import { emptySession } from "../../../src/handover/session-doc.ts";
import { diffLines } from "../../../src/lib/diff-lines.ts";

/** A document as people and agents really leave them. */
const found = `# Session Handover
**Generated**: 2026-03-07T16:48:05+0900
**Branch**: main
**Reviewer**: 佐藤
**Session Goal**: レビューの修正と
データの移行
---

## Direction

### Immediate Next Action
<!-- one step only -->
1. \`/sdd-impl auth\`
2. report

### Key Decisions
**Continuing from previous sessions:**
1. small specs (ref D2)
2. ~~six waves (D3)~~
9-16: the rules of review (D8-D16)

**Withdrawn:**
- a queue (D5)

**Added this session:**
17. no timeout (D17)

### Open Questions
- [ ] who pays?

## Session Context
### Tone and Nuance
なし

### Steering Exceptions
- None

## Accomplished

### Work Summary
- [x] the \`## Accomplished\` heading
  - nested

### Modified Files
- \`src/a.ts\`

\`\`\`
## Resume Instructions
not this one
\`\`\`

## resume instructions
read on`;

describe("a session.md that others have written", () => {
  it("is read as far as it goes", () => {
    expect(parseSession(found)).toEqual({
      problems: [],
      doc: {
        ...emptySession,
        generated: "2026-03-07T16:48:05+0900",
        branch: "main",
        goal: "レビューの修正と データの移行",
        nextAction: "1. `/sdd-impl auth`\n2. report",
        continuing: "1. small specs (ref D2)\n2. ~~six waves (D3)~~\n9-16: the rules of review (D8-D16)",
        added: "17. no timeout (D17)",
        modifiedFiles: "- `src/a.ts`\n\n```\n## Resume Instructions\nnot this one\n```",
        resume: "read on",
      },
    });
  });

  const changed = (text: string, changes: Parameters<typeof rewriteSession>[1]) =>
    diffLines(text, rewriteSession(text, changes)).map(({ sign, text: line }) => sign + line);

  it.each([
    {
      case: "replaces a part, and leaves the comment above it",
      changes: { nextAction: "wait" },
      lines: ["-1. `/sdd-impl auth`\n", "-2. report\n", "+wait\n"],
    },
    {
      case: "puts a part where its heading is",
      changes: { accomplished: "- all" },
      lines: ["+- all\n", "+\n"],
    },
    {
      case: "puts a missing section in its place",
      changes: { warnings: "- beware" },
      lines: ["+### Warnings\n", "+- beware\n", "+\n"],
    },
    {
      case: "empties a part in the language of the document",
      changes: { added: "" },
      lines: ["-17. no timeout (D17)\n", "+なし\n"],
    },
    {
      case: "adds a line to the header after the one it follows",
      changes: { mode: "auto-draft" },
      lines: ["+**Mode**: auto-draft\n"],
    },
    { case: "takes a line of the header away", changes: { branch: "" }, lines: ["-**Branch**: main\n"] },
    {
      case: "leaves a missing end of the last line missing",
      changes: { resume: "go" },
      lines: ["-read on", "+go"],
    },
    { case: "says nothing about what is empty anyway", changes: { tone: "None", warnings: "-" }, lines: [] },
  ])("$case", ({ changes, lines }) => {
    expect(changed(found, changes)).toEqual(lines);
    const dos = found.replaceAll("\n", "\r\n");
    expect(changed(dos, changes)).toEqual(lines.map((line) => line.replace("\n", "\r\n")));
  });

  it("lets no second line of its name count for a field that is taken away", () => {
    const text = "# Session Handover\n**Mode**: auto-draft\n**Mode**: by hand\n";
    expect(rewriteSession(text, { mode: "" })).toBe(
      "# Session Handover\n**Mode**: None\n**Mode**: by hand\n",
    );
  });

  it("keeps a byte order mark", () => {
    expect(rewriteSession(`\uFEFF${found}`, { tone: "calm" })).toBe(
      `\uFEFF${rewriteSession(found, { tone: "calm" })}`,
    );
    expect(parseSession(`\uFEFF${found}`).doc).toEqual(parseSession(found).doc);
  });

  it("keeps a comment that stands inside of what is replaced", () => {
    const text = "### Warnings\none\n\n<!-- keep\nme -->\n\ntwo\n";
    expect(rewriteSession(text, { warnings: "three" })).toBe("### Warnings\nthree\n\n<!-- keep\nme -->\n");
  });

  it("keeps a comment out of the list that is put above it", () => {
    const inside = "### Warnings\none\n\n  <!-- a -->\ntwo\n";
    expect(rewriteSession(inside, { warnings: "- three" })).toBe("### Warnings\n- three\n\n<!-- a -->\n");
    const below = "### Warnings\none\n  <!-- a\n  b -->\n\n### Tone and Nuance\n";
    expect(rewriteSession(below, { warnings: "- three" })).toBe(
      "### Warnings\n- three\n\n<!-- a\n  b -->\n\n### Tone and Nuance\n",
    );
  });

  it("takes decisions without groups for those from before, and adds a group below them", () => {
    const text = "### Key Decisions\n- one (D1)\n";
    expect(parseSession(text).doc.continuing).toBe("- one (D1)");
    expect(rewriteSession(text, { added: "- two (D2)" })).toBe(
      "### Key Decisions\n- one (D1)\n\n**Added this session:**\n- two (D2)\n",
    );
  });

  it("finds a group below an item that leaves a fence open, without a blank line between them", () => {
    const text =
      "### Key Decisions\n**Continuing from previous sessions:**\n1. ```\n**Added this session:**\n- x (D1)\n";
    expect(parseSession(text).doc).toEqual({ ...emptySession, continuing: "1. ```", added: "- x (D1)" });
  });

  it("makes the sections that an empty file lacks", () => {
    expect(
      rewriteSession("", { goal: "ship", added: "1. x (D1)", modifiedFiles: "- `a`", resume: "1. go" }),
    ).toBe(
      [
        "**Session Goal**: ship\n",
        "## Direction\n### Key Decisions\n**Added this session:**\n1. x (D1)\n",
        "## Accomplished\n### Modified Files\n- `a`\n",
        "## Resume Instructions\n1. go\n",
      ].join("\n"),
    );
  });

  it.each([
    { case: "a fence", opening: "```sh", closer: "```" },
    { case: "a fence below a byte order mark", mark: "\uFEFF", opening: "~~~~", closer: "~~~~" },
    { case: "a comment", opening: "<!-- later", closer: "-->" },
    { case: "a piece of HTML", opening: "<pre>", closer: "</pre>" },
  ])("reports $case that is left open, and rewrites nothing", ({ mark = "", opening, closer }) => {
    const text = `${mark}## Direction\n### Warnings\n${opening}\n## Session Context\n### Tone and Nuance\ncalm\n`;
    expect(parseSession(text).problems).toEqual([
      {
        code: "left-open",
        line: 3,
        message: `what begins here is never closed with ${closer}, so that no section after it is read`,
      },
    ]);
    const facts = { today: "2026-11-16", session: "same", done: ["x"], decisions: [], warnings: [] } as const;
    for (const rewrite of [
      () => rewriteSession(text, { resume: "1. go" }),
      () => rewriteSession(text, { warnings: "" }),
      () => rewriteSession(text, { mode: "auto-draft" }),
      () => draftSession(text, facts),
      () => polishSession(text, {}, facts),
    ]) {
      expect(rewrite).toThrow(
        expect.objectContaining({
          ...{ kind: "conflict", code: "left-open" },
          message:
            "What begins in line 3 of session.md is never closed, so that no section after it can be read.",
          hint: `Write ${closer} on a line of its own where it ends, then try again; nothing was written.`,
        }),
      );
    }
    expect(rewriteSession(text, parseSession(text).doc)).toBe(text);
  });

  it("reports a second section of the same name, reads the first, and keeps both", () => {
    const text = "### Warnings\none\n\n### Warnings\ntwo\n";
    expect(parseSession(text)).toEqual({
      doc: { ...emptySession, warnings: "one" },
      problems: [{ code: "repeated-section", line: 4, message: "a second section Warnings is not read" }],
    });
    expect(rewriteSession(text, { warnings: "three" })).toBe("### Warnings\nthree\n\n### Warnings\ntwo\n");
  });

  it("reports the marks of a git merge with their lines, and rewrites nothing", () => {
    const text = "### Warnings\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> theirs\n";
    const mark = { code: "conflict-marker", message: "a git merge left its mark here" };
    expect(parseSession(text).problems).toEqual([
      { ...mark, line: 2 },
      { ...mark, line: 4 },
      { ...mark, line: 6 },
    ]);
    expect(() => rewriteSession(text, { tone: "calm" })).toThrow(
      expect.objectContaining({
        kind: "conflict",
        code: "unfinished-merge",
        message: expect.stringContaining("2, 4, 6"),
      }),
    );
  });
});
