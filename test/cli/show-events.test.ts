import { describe, expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

const event = (name: string, data: object, more: object = {}) => ({
  kind: "event",
  event: name,
  data,
  ...more,
});
const seen = (name: string, data: object) => event(name, data, { strand: "hooks" });
const outcome = (fields: object) => ({
  ...{ kind: "message", role: "tool" },
  parts: [
    {
      type: "tool-result",
      call: "c1",
      output: [
        { type: "text", text: "one" },
        { type: "image", mediaType: "image/png" },
      ],
    },
    { type: "other", raw: { type: "tool-outcome", outcome: fields } },
  ],
});

/** Records entries, and returns the transcript without its heading and empty lines. */
async function show(entries: readonly object[], ...args: readonly string[]): Promise<readonly string[]> {
  await using carryon = await openCarryon();
  await carryon.ask(["append"], entries);
  const { stdout } = await carryon.call(["show", "latest", "--to", String(entries.length), ...args]);
  return stdout
    .split("\n")
    .slice(4)
    .filter((line) => line !== "");
}

describe("show", () => {
  it("tells of each event that it knows in a line of plain words", async () => {
    const events = [
      event("titled", { title: "The login" }),
      event("tagged", { add: ["bug"], remove: ["idea"] }),
      event("command", { name: "/model", args: "opus" }),
      event("command-output", { text: "Set model to opus\nfor this session" }),
      event("cancelled", { text: "[Request interrupted by user]" }),
      event("notification", { text: "<task-notification><summary>Build done</summary></task-notification>" }),
      event("notification", { text: "<task-notification><id>b1</id> is done</task-notification>" }),
      event("notice", { about: "info", text: "Context is low" }),
      event("context", { hook: "SessionStart:startup", text: "Be brief." }),
      event("hook-blocked", { hook: "Stop", text: "Run the tests first", command: "./gate" }),
      event("hook-failed", { hook: "PostToolUse:Bash", text: "no such file" }),
      event("attached", { type: "file", mediaType: "text/plain", location: "src/a.ts" }),
      event("file-changed", { type: "file", mediaType: "text/plain", location: "src/b.ts" }),
      event("api-error", { status: 529, text: "Overloaded", retryAttempt: 2 }),
      event("pull-request", { number: 7, url: "https://example.org/pull/7" }),
      event("resumed", { source: "resume" }),
      event("ended", { reason: "prompt_input_exit" }),
      event("ended", { reason: "other" }),
      event("ended", { reason: "bored" }),
      event("interrupted", {}),
    ];
    expect(await show(events)).toMatchInlineSnapshot(`
      [
        "titled #1 · <clock>  “The login”",
        "tagged #2 · <clock>  +bug −idea",
        "command #3 · <clock>  /model opus",
        "command-output #4 · <clock>  Set model to opus for this session",
        "cancelled #5 · <clock>  by the user",
        "notification #6 · <clock>  Build done",
        "notification #7 · <clock>  b1 is done",
        "notice #8 · <clock>  Context is low",
        "context #9 · <clock>  SessionStart:startup: Be brief.",
        "hook-blocked #10 · <clock>  Stop: Run the tests first",
        "hook-failed #11 · <clock>  PostToolUse:Bash: no such file",
        "attached #12 · <clock>  src/a.ts",
        "file-changed #13 · <clock>  src/b.ts",
        "api-error #14 · <clock>  529 Overloaded (attempt 2)",
        "pull-request #15 · <clock>  #7 https://example.org/pull/7",
        "resumed #16 · <clock>",
        "ended #17 · <clock>  by the user",
        "ended #18 · <clock>",
        "ended #19 · <clock>  bored",
        "interrupted #20 · <clock>",
      ]
    `);
  });

  it("tells where a merge begins and ends, what differs, and what another session said of itself", async () => {
    const from = { session: "session-2", title: "Try tokens", machine: "laptop", first: 6, last: 7 };
    const conflicts = [
      { type: "file", path: "src/a.ts" },
      { type: "decision", left: "D3: SQLite", right: "D3: files" },
      { type: "title", left: "One", right: "Two" },
      { type: "tags", left: ["red"], right: ["blue"] },
      { type: "newer" },
    ];
    const events = [
      event("merging", { from, sources: [], entries: 2, conflicts }),
      event("merging", { from: { ...from, path: 7 }, sources: [], entries: 1, conflicts: [] }),
      event("merged-titled", { title: "Two" }),
      event("merged", { block: "merge-1", entries: 1 }),
      event("merging", { from: 1 }),
    ];
    expect(await show(events)).toMatchInlineSnapshot(`
      [
        "merging #1 · <clock>  5 conflicts; 2 entries of session-2 “Try tokens” (laptop)",
        "  ! both changed src/a.ts",
        "  ! decided differently: “D3: SQLite” and “D3: files”",
        "  ! the title is “One” here and “Two” there",
        "  ! the tags are red here and blue there",
        "  ! type: newer",
        "merging #2 · <clock>  1 entry of session-2, the path to #7 “Try tokens” (laptop)",
        "merged-titled #3 · <clock>  “Two”",
        "merged #4 · <clock>  1 entry ends here",
        "merging #5 · <clock>  from: 1",
      ]
    `);
  });

  it("tells of an event that it does not know, or not in this form, field by field", async () => {
    const events = [
      event("teleported", { to: "mars", in: { seconds: 3 } }),
      event("notice", { about: "max_turns", turns: 9 }),
    ];
    expect(await show(events)).toMatchInlineSnapshot(`
      [
        "teleported #1 · <clock>  to: mars, in: {"seconds":3}",
        "notice #2 · <clock>  about: max_turns, turns: 9",
      ]
    `);
    expect(await show(events, "--full")).toMatchInlineSnapshot(`
      [
        "teleported #1 · <clock>",
        "  to: mars",
        "  in:",
        "    {",
        "      "seconds": 3",
        "    }",
        "notice #2 · <clock>",
        "  about: max_turns",
        "  turns: 9",
      ]
    `);
  });

  it("shows what only hooks saw as the prompt, the call and the result that it was", async () => {
    const events = [
      seen("prompt-seen", { prompt: "Run the tests\nand fix them" }),
      seen("call-seen", { tool: "Bash", input: { command: "npm test" } }),
      seen("result-seen", { tool: "Bash", output: { stdout: "1 failed", stderr: "oh", interrupted: false } }),
      seen("result-seen", { tool: "Bash", error: "Exit code 1" }),
    ];
    expect(await show(events)).toMatchInlineSnapshot(`
      [
        "user #1 · seen by a hook · <clock>",
        "  Run the tests",
        "  and fix them",
        "assistant #2 · seen by a hook · <clock>",
        "  → Bash  command: npm test",
        "tool #3 · seen by a hook · <clock>",
        "  ← 1 failed",
        "    oh",
        "tool #4 · seen by a hook · <clock>",
        "  ✗ Exit code 1",
      ]
    `);
  });

  it("says in words what became of a tool call, and shows a patch on demand", async () => {
    const patch = [{ oldStart: 1, lines: [" same", "-old", "+new", "+more"] }];
    const entries = [
      outcome({ type: "update", filePath: "/src/a.ts", structuredPatch: patch }),
      outcome({
        agentId: "a1",
        agentType: "Explore",
        totalDurationMs: 1500,
        totalTokens: 99,
        status: "completed",
      }),
      outcome({
        interrupted: true,
        stderr: "killed",
        persistedOutputPath: "/tmp/out",
        persistedOutputSize: 1200,
      }),
    ];
    expect(await show(entries)).toMatchInlineSnapshot(`
      [
        "tool #1 · <clock>",
        "  ← one",
        "    [image image/png]",
        "  · file /src/a.ts, +2 −1 lines",
        "tool #2 · <clock>",
        "  ← one",
        "    [image image/png]",
        "  · subagent Explore a1, 1.5 s, 99 tokens, status: completed",
        "tool #3 · <clock>",
        "  ← one",
        "    [image image/png]",
        "  · interrupted, stderr: killed, whole output in /tmp/out (1.2 kB)",
      ]
    `);
    expect(await show(entries.slice(0, 1), "--full")).toMatchInlineSnapshot(`
      [
        "tool #1 · <clock>",
        "  ← one",
        "    [image image/png]",
        "  · file /src/a.ts, +2 −1 lines",
        "     same",
        "    -old",
        "    +new",
        "    +more",
      ]
    `);
  });

  it("marks thinking in words, and shortens it like the results of tools", async () => {
    const text = Array.from({ length: 12 }, (_, index) => `thought ${index + 1}`).join("\n");
    const entry = { kind: "message", role: "assistant", parts: [{ type: "thinking", text }] };
    expect(await show([entry])).toMatchInlineSnapshot(`
      [
        "assistant #1 · <clock>",
        "  thinking: thought 1",
        "    thought 2",
        "    thought 3",
        "    thought 4",
        "    thought 5",
        "    thought 6",
        "    thought 7",
        "    thought 8",
        "    thought 9",
        "    thought 10",
        "    … 2 more lines, 22 B",
      ]
    `);
    expect((await show([entry], "--full")).at(-1)).toBe("    thought 12");
  });
});
