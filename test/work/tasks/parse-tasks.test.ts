import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTasks } from "../../../src/work/tasks/parse-tasks.ts";
import type { Task } from "../../../src/work/tasks.ts";

const open = (text: string): Task => ({ text, state: "open" });
const done = (text: string): Task => ({ text, state: "done" });

const everyday = `# Tasks: add two-factor login

## 1. Database
- [x] 1.1 Add the \`otp_secret\` column
- [x] 1.2 Write the **migration**,
      and its way back
## 2. Server
- [ ] 2.1 Verify codes
  - [x] 2.1.1 Accept the last step
  - [ ] 2.1.2 Lock after five tries
- [ ] 2.2 Recovery codes <!-- see design.md -->

Not a task: [ ] this, nor this one: \`- [ ] that\`

## 3. Deployment
1. [ ] Stage
2. [X] Announce
`;

describe("parseTasks", () => {
  it("reads the tasks of a change in their order, nested ones too", () => {
    expect(parseTasks(everyday)).toEqual([
      done("1.1 Add the `otp_secret` column"),
      done("1.2 Write the **migration**, and its way back"),
      open("2.1 Verify codes"),
      done("2.1.1 Accept the last step"),
      open("2.1.2 Lock after five tries"),
      open("2.2 Recovery codes <!-- see design.md -->"),
      open("Stage"),
      done("Announce"),
    ]);
  });

  it.each([
    { case: "stars, plusses and numbers", text: "* [x] a\n+ [X] b\n1. [ ] c\n1) [ ] d" },
    { case: "tabs", text: "-\t[x]\ta\n\t- [x] b\n\t\t- [ ] c\n\t\t\t- [ ] d" },
    { case: "CR LF and a byte order mark", text: "\uFEFF- [x] a\r\n  - [x] b\r\n- [ ] c\r\n\r\n- [ ] d" },
    { case: "lone CR", text: "- [x] a\r- [x] b\r- [ ] c\r- [ ] d" },
    { case: "a quote", text: "> - [x] a\n> - [x] b\n>   - [ ] c\n\n- [ ] d" },
    {
      case: "blank lines and headings between",
      text: "- [x] a\n\n- [x] b\n# H\n- [ ] c\n\n\n- [ ] d\n\nH\n---",
    },
    { case: "items that are indented too far", text: "- [x] a\n      - [x] b\n          - [ ] c\n- [ ] d" },
    { case: "numbers that begin in the middle", text: "- [x] a\n  3. [x] b\n  7) [ ] c\n- [ ] d" },
    { case: "a list right below a text", text: "Tasks:\n- [x] a\n- [x] b\n2. [ ] c\n- [ ] d" },
    { case: "lists that begin in one line", text: "- - [x] a\n  - [x] b\n- 1. [ ] c\n- * + [ ] d" },
    { case: "texts on the next line", text: "- [x]\n  a\n- [x]\n  b\n- [ ] c\n- [ ]\n  d" },
    { case: "a fence that is left open in an item", text: "- [x] a\n- [x] b\n  ```\n- [ ] c\n- [ ] d" },
  ])("counts each box once with $case", ({ text }) => {
    expect(parseTasks(text)).toEqual([done("a"), done("b"), open("c"), open("d")]);
  });

  it.each([
    { case: "fenced code", text: "```\n- [ ] a\n```\n~~~md\n- [x] b\n~~~" },
    { case: "a fence that is never closed", text: "```\n- [ ] a\n- [ ] b" },
    { case: "indented code", text: "Text\n\n    - [ ] a\n\n\t- [x] b" },
    { case: "a comment", text: "<!--\n- [ ] a\n\n- [x] b\n-->" },
    { case: "code inside of an item", text: "- note\n  ```\n  - [ ] a\n  ```\n\n      - [ ] b" },
    { case: "a comment inside of an item", text: "- note\n  <!--\n  - [ ] a\n  -->" },
    { case: "boxes without a text", text: "- [ ]\n- [x] \n* [ ]\t" },
    {
      case: "what only looks like boxes",
      text: "- [] a\n- [y] b\n- [ ]c\n- \\[ ] d\n[ ] e\n- [  ] f\n- f [ ] g",
    },
    { case: "links and further paragraphs", text: "- [x](y) a\n- b\n\n  [ ] c" },
    { case: "an empty text", text: "" },
  ])("finds no task in $case", ({ text }) => {
    expect(parseTasks(text)).toEqual([]);
  });

  it.each([
    { case: "its further lines", text: "- [ ] a  \n  b\\\n  c\nlazy", tasks: [open("a b\\ c lazy")] },
    { case: "no further paragraph", text: "- [ ] a\n\n  b\n- [x] c", tasks: [open("a"), done("c")] },
    { case: "no code that follows", text: "- [ ] a\n  ```\n  b\n  ```", tasks: [open("a")] },
    {
      case: "escapes and entities as they are",
      text: "- [ ] \\*a\\* &amp; [b](c)",
      tasks: [open("\\*a\\* &amp; [b](c)")],
    },
    { case: "what looks like another box", text: "- [x] [ ] a", tasks: [done("[ ] a")] },
    { case: "no NUL", text: "- [ ] a\0b", tasks: [open("a\uFFFDb")] },
    { case: "any script", text: "- [x] 한국어 テスト ✅", tasks: [done("한국어 テスト ✅")] },
  ])("gives a task $case", ({ text, tasks }) => {
    expect(parseTasks(text)).toEqual(tasks);
  });

  it("counts the same text each time that it stands there", () => {
    expect(parseTasks("- [ ] test\n- [x] test\n- [ ] test")).toEqual([
      open("test"),
      done("test"),
      open("test"),
    ]);
  });

  it("refuses a text that is too large to be read", () => {
    expect(() => parseTasks("- [ ] a\n".repeat(4001))).toThrow(
      expect.objectContaining({ code: "document-too-large" }),
    );
  });
});

interface Node {
  readonly task: Task;
  readonly marker: string;
  readonly apart: string;
  readonly children: readonly Node[];
}

const anyText = fc.stringMatching(/^[a-z0-9가-힣][a-z0-9가-힣 .,:()-]{0,20}[a-z가-힣]$/);
const anyTask = fc.record({ text: anyText, state: fc.constantFrom("open" as const, "done" as const) });
const { node: anyNode } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record({
    task: anyTask,
    marker: fc.constantFrom("-", "*", "+", "1.", "1)"),
    // What may stand below a task and before the next one; none of it is a task.
    apart: fc.constantFrom(
      "",
      "",
      "\n",
      "\n```\n- [ ] code\n```\n",
      "\n<!--\n- [x] comment\n-->\n",
      "\n- no box\n",
    ),
    children: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie("node"), { maxLength: 3 })),
  }),
}));
const anySection = fc.record({
  heading: fc.constantFrom("", "## 1. Part\n\n", "Part\n----\n"),
  nodes: fc.array(anyNode),
});

function render({ task, marker, apart, children }: Node, ending: string): string {
  const mark = task.state === "done" ? "x" : " ";
  const lines = [`[${mark}] ${task.text}`, ...apart.split("\n").slice(1)];
  const inner = children.flatMap((child) => render(child, ending).split(ending));
  const indent = " ".repeat(marker.length + 1);
  const all = [...lines, ...inner].map((line, index) =>
    index === 0 ? `${marker} ${line}` : line === "" ? "" : indent + line,
  );
  return all.join(ending);
}

const tasksOf = ({ task, children }: Node): readonly Task[] => [task, ...children.flatMap(tasksOf)];

describe("parseTasks of generated lists", () => {
  it("returns each task that was rendered, in its order", () => {
    fc.assert(
      fc.property(fc.array(anySection), fc.constantFrom("\n", "\r\n"), (sections, ending) => {
        const text = sections
          .map(({ heading, nodes }) =>
            [heading.replaceAll("\n", ending), ...nodes.map((each) => render(each, ending))].join(ending),
          )
          .join(ending + ending);
        expect(parseTasks(text)).toEqual(sections.flatMap(({ nodes }) => nodes.flatMap(tasksOf)));
      }),
      { numRuns: 60 },
    );
  });

  it("never throws for a short text, and never finds more tasks than boxes", () => {
    const piece = fc.constantFrom(
      "- ",
      "[ ] ",
      "[x] ",
      "\n",
      "\n\n",
      "  ",
      "\t",
      "```",
      "<!--",
      "-->",
      "> ",
      "1. ",
      "a",
      "#",
      "\r\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        expect(parseTasks(text).length).toBeLessThanOrEqual(text.split(/\[[ x]\]/).length - 1);
      }),
    );
  });
});
