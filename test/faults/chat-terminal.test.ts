import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openChatTerminal } from "../support/chat-terminal.ts";
import { scenarioOf } from "../support/open-chatting.ts";

const write = { tool: "write", input: { path: "hello.txt", content: "hello\nworld\n" } };
const bash = { tool: "bash", input: { command: "cat hello.txt; seq 40" } };

/** Prints, and waits for a file before it prints the rest. */
const waits = {
  tool: "bash",
  input: {
    command: "seq 8; printf '1%%\\r2%%\\e[31m\\n'; until [ -e go ]; do sleep 0.02; done; echo all of it",
  },
};

const scenario = scenarioOf({
  "take your time": [{ text: "I run it.", calls: [waits] }, { text: "It is done." }],
  markdown: [
    {
      text: "# Login\n\nThe **bug** is in `a.ts`. ログイン 👩‍👧\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\nEnd\u001B[31m.",
    },
  ],
  "make the file": [
    { text: "I write it.", calls: [write] },
    { text: "I run it.", calls: [bash] },
    { text: "Again.", calls: [bash] },
    { text: "Done." },
  ],
  slowly: [{ text: "It begins.", long: 300, pace: 20 }],
});

/** Leaves out what differs from run to run. */
function steady(screen: string): string {
  return (
    screen
      .replace(/session-\d{8}-\d{6}-[a-z0-9]{4}/g, "session-00000000-000000-0000")
      // A long path of the test's folder stands on lines of its own.
      .replace(/ in\s+\/[\s\S]*?(?=\n\/help)/, " in <folder>")
      .replace(/[\d.]+k? of/g, "N of")
  );
}

describe("carryon chat on a terminal", () => {
  // Seed 4: 3.1
  it("shows who and where one is, what was said, and that it is saved", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("Show me markdown");
    await chat.waitFor("End");
    expect(steady(await chat.waitFor("saved"))).toMatchInlineSnapshot(`
      "Carryon chat · session-00000000-000000-0000
      anthropic/claude-sonnet-5-5 in <folder>
      /help shows the commands and the keys. Enter sends, Alt+Enter begins a new line.

      > Show me markdown

      Login

      The bug is in a.ts. ログイン 👩‍👧

      - one
      - two

      \`\`\`ts
        const a = 1;
      \`\`\`

      End^[[31m.

      ────────────────────────────────────────────────────────────────────────────────

      ────────────────────────────────────────────────────────────────────────────────
      Show me markdown · claude-sonnet-5-5 · 2 messages · N of 1M tokens · saved"
    `);
  });

  it("takes wide characters and a paste of many lines as they are", async () => {
    await using chat = await openChatTerminal(scenario, [], { columns: 100 });
    await chat.type("直して 👩‍👧 é");
    await chat.press("BSpace");
    await chat.paste("x\n\tindented\nlast");
    const screen = await chat.waitFor("last");
    expect(screen).toContain("直して 👩‍👧 x\n→indented\nlast");
    await chat.press("Enter");
    await chat.waitFor("Understood.");
    const pasted = Array.from({ length: 60 }, (_, index) => `line ${index}`).join("\n");
    await chat.paste(pasted);
    await chat.waitFor("[paste #1 +60 lines]");
    await chat.press("Enter");
    expect(await chat.waitFor("4 messages")).toContain("… 35 more lines");
    const said = JSON.parse(await chat.carryon.ask(["show", "latest", "--json"])).entries;
    const texts = said.flatMap((entry: { role?: string; parts?: readonly { text: string }[] }) =>
      entry.role === "user" ? [entry.parts?.[0]?.text] : [],
    );
    expect(texts).toEqual(["直して 👩‍👧 x\n\tindented\nlast", pasted]);
  });

  it("begins a new line with Alt+Enter, Ctrl+J and a backslash", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.type("one");
    await chat.press("M-Enter");
    await chat.type("two");
    await chat.press("C-j");
    await chat.type("three\\");
    await chat.press("Enter");
    await chat.say("four");
    expect(await chat.waitFor("Understood.")).toContain("> one\n  two\n  three\n  four\n");
  });

  it("asks before it writes and runs, and not again after an always", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("make the file");
    const asked = await chat.waitFor("Do you allow this?");
    expect(asked).toContain("→ write hello.txt (2 lines)\n  +hello\n  +world\n");
    expect(existsSync(join(chat.carryon.folder, "work", "hello.txt"))).toBe(false);
    await chat.press("y");
    await chat.waitFor("always, for bash");
    await chat.press("a");
    await chat.waitFor("Done.");
    const all = await chat.history();
    expect(all.match(/→ bash/g)).toHaveLength(2);
    expect(all).toContain("  ← hello\n    world\n    1\n    2\n    … 34 more lines\n    37\n");
  });

  it("shows the end of what a command prints while it runs", async () => {
    await using chat = await openChatTerminal(scenario, ["--yes"]);
    await chat.say("take your time");
    const running = await chat.waitFor("\n  5\n  6\n  7\n  8\n  2%\n");
    expect(running).not.toMatch(/\n {2}4\n/);
    await writeFile(join(chat.carryon.folder, "work", "go"), "");
    await chat.waitFor("It is done.");
    expect(await chat.history()).toMatch(/ {2}← 1\n {4}2\n[\s\S]* {4}all of it\n/);
  });

  it("tells the model of a call that was declined", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("make the file");
    await chat.waitFor("Do you allow this?");
    await chat.press("n");
    expect(await chat.waitFor("always, for bash")).toContain("✗ The user declined this call");
    await chat.press("C-c");
    await chat.waitFor("Press Ctrl+C again to leave.");
    expect(existsSync(join(chat.carryon.folder, "work", "hello.txt"))).toBe(false);
  });

  it("keeps what was typed on while a question came up", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("make the file");
    await chat.waitFor("Do you allow this?");
    await chat.paste("yes, and then");
    await chat.press("y");
    await chat.waitFor("always, for bash");
    await chat.press("C-c");
    await chat.waitFor("\nyes, and then\n─");
  });
});

describe("what was typed before", () => {
  it("comes back with Up, is found with Ctrl+R, and is there in the next chat", async () => {
    await using chat = await openChatTerminal(scenario, [], { columns: 100 });
    await chat.say("the first thing");
    await chat.waitFor("2 messages");
    await chat.say("the second thing");
    await chat.waitFor("4 messages");
    await chat.type("unsent");
    await chat.press("Up");
    await chat.waitFor("\nthe second thing\n─");
    await chat.press("Up");
    await chat.waitFor("\nthe first thing\n─");
    await chat.press("Down", "Down");
    await chat.waitFor("\nunsent\n─");
    await chat.press("C-c");
    await chat.press("C-r");
    await chat.type("FIRST");
    await chat.waitFor("\nthe first thing\n─");
    await chat.press("Tab");
    await chat.say("!");
    await chat.waitFor("6 messages");
    await using next = await chat.again([]);
    await next.press("Up");
    await next.waitFor("\nthe first thing!\n─");
    const file = join(chat.carryon.folder, "home", "history");
    expect((await readFile(file, "utf8")).split("\n")).toEqual([
      '"the first thing"',
      '"the second thing"',
      '"unsent"',
      '"the first thing!"',
      "",
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

describe("the size of the terminal", () => {
  it("may change while a reply comes in", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("Show me markdown");
    await chat.waitFor("End");
    await chat.say("go slowly");
    await chat.waitFor("It begins.");
    await chat.resize(50, 20);
    await chat.waitFor(`\n${"─".repeat(50)}\n`);
    await chat.resize(100, 30);
    await chat.waitFor(`\n${"─".repeat(100)}\n`);
    await chat.waitFor("saved");
    const all = await chat.history();
    expect(all).toContain("Carryon chat · session-");
    expect(all).toContain("The bug is in a.ts. ログイン 👩‍👧");
    // Of what is drawn again and again there is one.
    expect(all.match(/^─+$/gm)).toEqual(["─".repeat(100), "─".repeat(100)]);
  });
});
