import { once } from "node:events";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

const talk = [
  { id: "a1", role: "user", text: "Fix the login" },
  {
    ...{ id: "a2", kind: "message", role: "assistant", model: "model-x" },
    parts: [
      { type: "thinking", text: "Read the file first." },
      { type: "text", text: "I will look at it." },
      { type: "tool-call", call: "c1", name: "Bash", input: { command: "npm test\nls", timeout: 10 } },
    ],
  },
  {
    ...{ id: "a3", kind: "message", role: "tool" },
    parts: [
      {
        type: "tool-result",
        call: "c1",
        output: Array.from({ length: 14 }, (_, n) => `line ${n + 1}`).join("\n"),
      },
      { type: "tool-result", call: "c2", output: { ok: false }, failed: true },
      { type: "image", mediaType: "image/png", name: "shot.png", bytes: 12_345 },
      { type: "other", raw: { type: "hologram", size: 1 } },
    ],
  },
  { id: "a4", kind: "summary", text: "It was fixed.", replaces: "a3" },
  { id: "a5", kind: "checkpoint", state: { branch: "main" } },
  { id: "a6", kind: "round", number: 2, data: {} },
  { id: "b1", role: "user", text: "And try it the other way", parent: "a1" },
  { id: "c1", role: "user", text: "Work on this", strand: "worker" },
  { id: "d1", role: "user", text: "Start again", parent: null },
  {
    ...{ id: "d2", kind: "message", role: "assistant", model: "model-x", interrupted: true },
    parts: [{ type: "text", text: "I beg" }],
  },
];

describe("show", () => {
  it("prints a transcript with folded tool calls, shortened results and marked side paths", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["append", "--title", "The login"], talk);
    expect((await carryon.call(["show", "latest"])).stdout).toMatchInlineSnapshot(`
      "The login
      session-00000000-000000-0001-the-login
      carryon-append · work · ended · 7 messages · <day> <clock>

      user #1 · <clock>
        Fix the login

      assistant #2 · model-x · <clock>
        thinking: Read the file first.
        I will look at it.
        → Bash  command: npm test ls, timeout: 10

      tool #3 · <clock>
        ← line 1
          line 2
          line 3
          line 4
          line 5
          line 6
          line 7
          line 8
          line 9
          line 10
          … 4 more lines, 32 B
        ✗ {
            "ok": false
          }
        [image shot.png image/png 12.3 kB]
        [hologram] size: 1

      summary #4 · <clock>
        It was fixed.

      checkpoint #5 · <clock>  branch: main

      round 2 #6 · <clock>

      ↳ goes on from #1
      user #7 · <clock>
        And try it the other way

      user #8 · worker · <clock>
        Work on this

      ↳ a new start
      user #9 · <clock>
        Start again

      assistant #10 · model-x · cut off · <clock>
        I beg

      ended #11 · <clock>

      "
    `);
  });

  it("shows tool calls and results whole with --full", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["append"], talk);
    const { stdout } = await carryon.call(["show", "latest", "--full", "--from", "2", "--to", "3"]);
    expect(stdout.split("\n").slice(4)).toMatchInlineSnapshot(`
      [
        "assistant #2 · model-x · <clock>",
        "  thinking: Read the file first.",
        "  I will look at it.",
        "  → Bash",
        "    command:",
        "      npm test",
        "      ls",
        "    timeout: 10",
        "",
        "tool #3 · <clock>",
        "  ← line 1",
        "    line 2",
        "    line 3",
        "    line 4",
        "    line 5",
        "    line 6",
        "    line 7",
        "    line 8",
        "    line 9",
        "    line 10",
        "    line 11",
        "    line 12",
        "    line 13",
        "    line 14",
        "  ✗ {",
        "      "ok": false",
        "    }",
        "  [image shot.png image/png 12.3 kB]",
        "  [hologram]",
        "    size: 1",
        "",
        "",
      ]
    `);
  });

  it("shows a part: from a place, to a place, the last ones, or one strand", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["append"], talk);
    const seqs = async (...args: string[]) =>
      JSON.parse(await carryon.ask(["show", "latest", "--json", ...args])).entries.map(
        (entry: { seq: number }) => entry.seq,
      );
    expect([
      await seqs("--from", "8"),
      await seqs("--to", "2"),
      await seqs("--from", "-2"),
      await seqs("--strand", "worker"),
      await seqs("--from", "99"),
    ]).toEqual([[8, 9, 10, 11], [1, 2], [10, 11], [8], []]);
  });

  it("refuses a strand that the session does not have, and names those that it has", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["append"], talk);
    const { code } = await carryon.call(["show", "latest", "--strand", "worker", "--from", "99"]);
    expect(code).toBe(0);
    expect(await carryon.call(["show", "latest", "--strand", "nope"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: Session session-00000000-000000-0001 has no entries on the strand nope.
        It has entries on: main, worker
      ",
        "stdout": "",
      }
    `);
  });

  it("finds a session by the beginning of its id or of its title", async () => {
    await using carryon = await openCarryon();
    const id = await carryon.record("Fix the login");
    await carryon.record("Write the tests");
    const found = async (text: string) => JSON.parse(await carryon.ask(["show", text, "--json"])).session.id;
    expect([await found(id.slice(0, -1)), await found("fix the")]).toEqual([id, id]);
    const { code, stderr } = await carryon.call(["show", "session-"]);
    expect({ code, stderr }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: More than one session fits "session-".
        Type more of the id of one of these:
          session-00000000-000000-0001  Write the tests
          session-00000000-000000-0002  Fix the login
      ",
      }
    `);
  });

  it("streams a long session whole, and ends quietly when its reader has seen enough", async () => {
    await using carryon = await openCarryon();
    const messages = Array.from({ length: 3000 }, (_, index) => ({
      role: "user",
      text: `${index} ${"x".repeat(500)}`,
    }));
    await carryon.ask(["append"], messages);
    const { code, stdout, stderr } = await carryon.call(["show", "latest", "--json"]);
    expect({ code, stderr, entries: JSON.parse(stdout).entries.length }).toEqual({
      code: 0,
      stderr: "",
      entries: 3001,
    });
    const child = carryon.start(["show", "latest"]);
    child.stdout.once("data", () => child.stdout.destroy());
    const [complaint] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect({ complaint, code: child.exitCode }).toEqual({ complaint: "", code: 0 });
  });

  it("never lets recorded text act on a terminal, and gives it back unchanged as JSON", async () => {
    await using carryon = await openCarryon();
    const hostile = "a\u001b[31mb\u202Ec\u0007d\u009B31me\u200Bf\rg\u{E0041}h\u2028i\u007Fj";
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through.
    const acting = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u200B\u202E\u2028]|\u{E0041}/u;
    await carryon.ask(
      ["append", "--title", hostile],
      [
        { role: "user", text: hostile },
        {
          kind: "message",
          role: "tool",
          parts: [
            { type: "tool-call", call: hostile, name: hostile, input: { [hostile]: hostile } },
            { type: "tool-result", call: hostile, output: hostile },
            { type: "file", mediaType: hostile, name: hostile },
            { type: "other", raw: { type: hostile } },
          ],
          model: hostile,
        },
        { kind: "event", event: hostile, data: { [hostile]: hostile } },
        { kind: "summary", text: hostile, replaces: null },
      ],
    );
    const json = await carryon.call(["show", "latest", "--json"]);
    const refused = await carryon.call(["show", hostile.slice(1)]);
    const outputs = [json.stdout, refused.stderr];
    for (const args of [
      [],
      ["sessions"],
      ["sessions", "--json"],
      ["show", "latest"],
      ["show", "latest", "--full"],
    ]) {
      outputs.push(await carryon.ask(args));
    }
    outputs.push((await carryon.ask(["__complete", "show", ""])).replaceAll("\t", " "));
    for (const output of outputs) expect(acting.exec(output)).toBeNull();
    expect(JSON.parse(json.stdout).entries[0].parts).toEqual([{ type: "text", text: hostile }]);
  });
});
