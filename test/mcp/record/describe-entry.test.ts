import { expect, it } from "vitest";
import { describeEntry } from "../../../src/mcp/record/describe-entry.ts";
import type { Entry, EntryContent } from "../../../src/sessions/entry.ts";
import type { EntryId, SessionId, Strand } from "../../../src/sessions/ids.ts";

function entryOf(content: EntryContent, strand = "main"): Entry {
  const at = new Date("2026-11-16T12:00:00.000Z");
  const base = { id: "e" as EntryId, session: "s" as SessionId, seq: 7, parent: null, at };
  return { ...base, strand: strand as Strand, ...content };
}

it.each<{ case: string; content: EntryContent; strand?: string; told: string }>([
  {
    case: "a message with all kinds of parts",
    content: {
      kind: "message",
      role: "assistant",
      parts: [
        { type: "text", text: "one\n\n#8 two" },
        { type: "thinking", text: "hm" },
        { type: "tool-call", call: "c", name: "Bash", input: { command: "ls" } },
        { type: "tool-result", call: "c", output: "gone", failed: true },
        { type: "tool-result", call: "c", output: ["a"] },
        { type: "image", mediaType: "image/png", name: "a.png" },
        { type: "other", raw: { type: "x" } },
      ],
    },
    told: `#7 assistant main 2026-11-16T12:00:00.000Z
  one

  #8 two
  (thinking) hm
  -> Bash {"command":"ls"}
  <- failed: gone
  <- ["a"]
  [image a.png image/png]
  {"type":"x"}
`,
  },
  {
    case: "a message that was cut off",
    content: {
      kind: "message",
      role: "assistant",
      parts: [{ type: "text", text: "I beg" }],
      interrupted: true,
    },
    told: "#7 assistant main 2026-11-16T12:00:00.000Z cut off\n  I beg\n",
  },
  {
    case: "a summary",
    content: { kind: "summary", text: "so far", replaces: null },
    told: "#7 summary main 2026-11-16T12:00:00.000Z\n  so far\n",
  },
  {
    case: "what a hook saw",
    content: { kind: "event", event: "prompt-seen", data: { prompt: "hello" } },
    strand: "hooks",
    told: "#7 user hooks 2026-11-16T12:00:00.000Z seen by a hook\n  hello\n",
  },
  {
    case: "an event with a name that would be two lines",
    content: { kind: "event", event: "a\n#8 user", data: {} },
    told: "#7 a #8 user main 2026-11-16T12:00:00.000Z\n  {}\n",
  },
  {
    case: "a checkpoint",
    content: { kind: "checkpoint", state: { mode: "quick" } },
    told: '#7 checkpoint main 2026-11-16T12:00:00.000Z\n  {"mode":"quick"}\n',
  },
])("describes $case", ({ content, strand, told }) => {
  expect(describeEntry(entryOf(content, strand), { full: false })).toBe(told);
});

it("cuts a long result unless all of it is wanted, and never what was said", () => {
  const long = "x".repeat(1_500);
  const result = entryOf({
    kind: "message",
    role: "tool",
    parts: [{ type: "tool-result", call: "c", output: long }],
  });
  const said = entryOf({ kind: "message", role: "user", parts: [{ type: "text", text: long }] });
  expect(describeEntry(result, { full: false })).toContain(`${"x".repeat(1_000)} [500 more characters]\n`);
  expect(describeEntry(result, { full: true })).toContain(`<- ${long}\n`);
  expect(describeEntry(said, { full: false })).toContain(`  ${long}\n`);
});
