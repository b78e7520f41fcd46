import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openChatTerminal } from "../support/chat-terminal.ts";
import { openChatting, scenarioOf } from "../support/open-chatting.ts";
import { openTerminal } from "../support/terminal.ts";
import { launcher } from "../support/test-context.ts";

const scenario = scenarioOf({ "long talk": [{ text: "As you wish." }] });

describe("the commands of a chat on a terminal", () => {
  it("are listed, completed, and suggested where one is mistyped", async () => {
    await using chat = await openChatTerminal(scenario, [], { rows: 40 });
    await chat.type("/ti");
    expect(await chat.waitFor("Give this session a title")).toContain("→ /title");
    await chat.press("Tab");
    await chat.say("Fix the login");
    await chat.waitFor("The title is now “Fix the login”.");
    await chat.say("/help");
    expect(await chat.waitFor("/quit")).toContain("/load ID");
    // Nothing can follow it, so that Return both chooses and sends it.
    await chat.type("/sess");
    await chat.waitFor("→ /sessions");
    await chat.press("Enter");
    await chat.waitFor("No sessions.");
    await chat.say("/sesions");
    const screen = await chat.waitFor("Did you mean /sessions?");
    // It stands there to be mended.
    expect(screen).toMatch(/\n\/sesions\n─/);
  });

  it("change to another session, and stay where there is no such one", async () => {
    await using chat = await openChatTerminal(scenario, ["--name", "First"], { columns: 100 });
    await chat.say("hello from the first");
    await chat.waitFor("Understood.");
    await chat.press("C-d");
    await chat.ended();
    await using second = await chat.again(["--name", "Second"], { columns: 100 });
    await second.say("hello from the second");
    await second.waitFor("Understood.");
    await second.say("/sessions");
    expect(await second.waitFor("TITLE")).toMatch(/open +\S+ +Second\n.*ended +\S+ +First/);
    await second.type("/load ");
    await second.type("sess");
    await second.waitFor("→ session-");
    await second.press("Tab");
    await second.press("Enter");
    expect(await second.waitFor("Restored 2 messages.")).toContain("> hello from the first");
    await second.waitFor("First ·");
    await second.say("/load nowhere");
    await second.waitFor("There is no session nowhere in this store.");
    await second.waitFor("First ·");
    await second.press("C-c");
    await second.say("/fork");
    await second.waitFor("Forked from session-");
    await second.say("/reset");
    await second.waitFor("The model sees nothing of what was said before.");
    await second.waitFor("0 messages");
  });

  it("hand over by asking on the same terminal, and come back", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("hello");
    await chat.waitFor("Understood.");
    await chat.say("/handover");
    await chat.waitFor("What is the goal of this session?");
    await chat.type("A login that works");
    await chat.press("Enter");
    await chat.waitFor("Which goals are active?");
    await chat.press("C-c");
    await chat.waitFor("saved");
    await chat.say("still there?");
    await chat.waitFor("4 messages");
  });

  it("say what a session has that is not shown, and what has changed since", async () => {
    await using chat = await openChatTerminal(scenario);
    for (let turn = 1; turn <= 12; turn += 1) {
      await chat.say(`long talk ${turn}`);
      await chat.waitFor(`${2 * turn} messages`);
    }
    await chat.press("C-d");
    await chat.ended();
    const args = ["--session", "latest", "--model", "anthropic/claude-opus-5-1"];
    await using next = await chat.again(args, { rows: 100 });
    const screen = await next.waitFor("Restored 24 messages.");
    expect(screen).toMatch(/\n\d+ earlier messages: carryon show session-\S+\n/);
    expect(screen).toContain(
      "The model is now anthropic/claude-opus-5-1; it was anthropic/claude-sonnet-5-5.",
    );
    expect(screen).not.toContain("> long talk 1\n");
    expect(screen).toContain("> long talk 12\n\nAs you wish.\n");
  });
});

describe("a terminal", () => {
  it("that can only print lines is told which session this is, and how to talk", async () => {
    await using carryon = await openChatting(scenario, { TERM: "screen-256color", LANG: "C.UTF-8" });
    const cwd = await realpath(join(carryon.folder, "work"));
    const env = { ...carryon.env, PS1: "shell$ ", HISTFILE: "" };
    await using shell = await openTerminal(["bash", "--norc", "--noprofile", "-i"], { cwd, env });
    await shell.waitFor("shell$");
    await shell.type(`TERM=dumb ${process.execPath} ${launcher} chat`);
    await shell.press("Enter");
    const screen = await shell.waitFor("One prompt a line; /help shows the commands; Ctrl-D ends.");
    expect(screen).toMatch(/Carryon chat · session-\S+ · \S+\n/);
    await shell.type("hello");
    await shell.press("Enter");
    await shell.waitFor("Understood.");
  });

  it("is as it was after a mistake of our own", async () => {
    await using carryon = await openChatting(scenario, { TERM: "screen-256color", LANG: "C.UTF-8" });
    const cwd = await realpath(join(carryon.folder, "work"));
    const env = { ...carryon.env, PS1: "shell$ ", HISTFILE: "" };
    const child = fileURLToPath(new URL("../support/crashing-terminal-child.ts", import.meta.url));
    await using shell = await openTerminal(["bash", "--norc", "--noprofile", "-i"], { cwd, env });
    await shell.waitFor("shell$");
    await shell.type(`${process.execPath} ${child}; stty -a | grep -o '[-]\\?icanon\\|[-]\\?echo '`);
    await shell.press("Enter");
    const screen = await shell.waitFor("icanon\n");
    expect(screen).toContain("Error: a mistake of our own");
    expect(screen.match(/^-?(?:icanon|echo) ?$/gm)).toEqual(["icanon", "echo"]);
    expect(await shell.isCursorShown()).toBe(true);
  });

  it("that is closed leaves a session with what was typed in it", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("hello");
    await chat.waitFor("Understood.");
    await chat.type("half a thought");
    await chat.waitFor("half a thought");
    await chat.close();
    await using next = await chat.again(["--session", "latest"]);
    await next.waitFor("\nhalf a thought\n─");
  });
});
