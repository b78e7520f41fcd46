import { beforeAll, describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { makeStyle } from "../../src/lib/style.ts";
import { textWidth } from "../../src/lib/terminal-text.ts";
import { tempDir } from "../support/temp-dir.ts";
import { inputOf, testContext } from "../support/test-context.ts";

const long = "Bitte behebe die Anmeldung für Menschen mit Umlauten. ユーザー名の正規化が原因です。🎉 ".repeat(
  3,
);

const introducer = "\u001b\\[";
const opening = new RegExp(`${introducer}(?:1|2|3[0-7])m`, "g");
const closing = new RegExp(`${introducer}(?:22|39)m`, "g");

describe("on a terminal", () => {
  let folder: Awaited<ReturnType<typeof tempDir>>;
  const run = async (args: readonly string[], given: Parameters<typeof testContext>[1] = {}) => {
    const context = testContext(folder.path, given);
    expect(await runCli(args, context)).toBe(0);
    return context.said.out;
  };

  beforeAll(async () => {
    folder = await tempDir();
    const input = inputOf(
      { role: "user", text: long },
      {
        kind: "message",
        role: "assistant",
        parts: [
          { type: "thinking", text: long },
          { type: "tool-call", call: "1", name: "Bash", input: { command: long } },
          { type: "tool-result", call: "1", output: long },
          { type: "other", raw: { long } },
        ],
      },
      { kind: "checkpoint", state: { long } },
    );
    await run(["append", "--title", long], { input });
    return () => folder[Symbol.asyncDispose]();
  });

  it.each([60, 80, 200])("nothing is wider than %i columns", async (columns) => {
    for (const args of [
      ["sessions"],
      ["sessions", "--all"],
      ["show", "latest"],
      ["show", "latest", "--full"],
    ]) {
      const widest = Math.max(...(await run(args, { columns })).split("\n").map(textWidth));
      expect([args, widest <= columns]).toEqual([args, true]);
    }
  });

  it.each([20, 30, 40, 60, 80, 100, 120])("some of each title is there in %i columns", async (columns) => {
    for (const args of [["sessions"], ["sessions", "--all"]]) {
      const [header = "", row = ""] = (await run(args, { columns })).split("\n");
      expect(header).toMatch(/^SESSION .*TITLE$/);
      expect(row).toMatch(/^session-.* Bitte b/);
    }
  });

  it("ids are short, and still find the session", async () => {
    const [, row = ""] = (await run(["sessions"], { columns: 80 })).split("\n");
    const [id = ""] = row.split(" ");
    expect(id).toMatch(/^session-\d{8}-\d{6}-[a-z0-9]{4}$/);
    expect(JSON.parse(await run(["show", id, "--json"])).session.id.startsWith(`${id}-bitte-behebe`)).toBe(
      true,
    );
  });

  it("thinking is dimmed, and colours end with each line", async () => {
    const style = makeStyle({ colors: true });
    const text = await run(["show", "latest"], { columns: 60, style });
    expect(text).toContain(
      `  ${style.dim("thinking:")} ${style.dim("Bitte behebe die Anmeldung für Menschen mit")}`,
    );
    expect(text).toContain(style.dim("    Menschen mit Umlauten. ユーザー名の正規化が原因です。🎉"));
    for (const line of text.split("\n")) {
      const opened = line.match(opening)?.length ?? 0;
      const closed = line.match(closing)?.length ?? 0;
      expect([line, closed]).toEqual([line, opened]);
    }
  });
});
