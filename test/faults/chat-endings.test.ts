import { realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openChatTerminal } from "../support/chat-terminal.ts";
import { openChatting, scenarioOf } from "../support/open-chatting.ts";
import { openTerminal } from "../support/terminal.ts";
import { launcher } from "../support/test-context.ts";

const scenario = scenarioOf({
  slowly: [{ text: "It begins.", long: 300, pace: 20 }],
  "run it": [
    { text: "I run it.", calls: [{ tool: "bash", input: { command: "sleep 15" } }] },
    { text: "Done." },
  ],
});

interface ShownEntry {
  readonly kind: string;
  readonly role?: string;
  readonly event?: string;
  readonly interrupted?: true;
}

describe("Ctrl+C", () => {
  it("stops a reply, which is kept as cut off, and gives back what was waiting", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("go slowly");
    await chat.waitFor("It begins.");
    await chat.say("what I meant");
    await chat.waitFor("queued: what I meant");
    await chat.press("C-c");
    const screen = await chat.waitFor("Stopped. What had come is kept, marked as cut off.");
    expect(screen).toMatch(/\nwhat I meant\n─/);
    const { entries } = JSON.parse(await chat.carryon.ask(["show", "latest", "--json"]));
    const messages = entries.filter(({ kind }: ShownEntry) => kind === "message");
    expect(messages.map(({ role, interrupted }: ShownEntry) => ({ role, interrupted }))).toEqual([
      { role: "user", interrupted: undefined },
      { role: "assistant", interrupted: true },
    ]);
  });

  it("ends a command that runs, and the model is told so", async () => {
    await using chat = await openChatTerminal(scenario, ["--yes"]);
    await chat.say("run it");
    await chat.waitFor("Running");
    await chat.press("C-c");
    await chat.waitFor("✗ Interrupted");
    await chat.say("go on");
    await chat.waitFor("Done.");
  });

  it("clears the line, then says how to leave, then leaves", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("hello");
    await chat.waitFor("Understood.");
    await chat.type("never mind");
    await chat.waitFor("never mind");
    await chat.press("C-c");
    const cleared = await chat.waitFor("Press Ctrl+C again to leave.");
    expect(cleared).not.toContain("never mind");
    await chat.press("x", "BSpace", "C-c");
    await chat.waitFor("Press Ctrl+C again to leave.");
    await chat.press("C-c");
    await chat.waitFor("Resume with: carryon chat --session session-");
    expect(await chat.ended()).toBe(0);
  });
});

describe("a store that is deleted", () => {
  it("leaves the talk on the screen, says that nothing is saved, and gives back what was typed", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("hello");
    await chat.waitFor("Understood.");
    await rm(join(chat.carryon.folder, "home"), { recursive: true });
    await chat.say("and now?");
    const screen = await chat.waitFor("NOT SAVED");
    expect(screen).toContain("Understood.");
    expect(screen).toContain("carryon chat --session-file");
    expect(screen).toMatch(/\nand now\?\n─/);
    await chat.press("C-c", "C-d");
    expect(await chat.ended()).toBe(74);
  });
});

describe("leaving", () => {
  // Seed 4: 1.1, 3.4, 4.2
  it.each([
    { case: "/quit", leave: ["/quit", "Enter"] },
    { case: "Ctrl+D", leave: ["C-d"] },
  ])("$case saves and says how to go on", async ({ leave }) => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("hello");
    await chat.waitFor("Understood.");
    await chat.press(...leave);
    const screen = await chat.waitFor("Resume with: carryon chat --session session-");
    expect(await chat.ended()).toBe(0);
    // What was drawn at the bottom is gone, what was said is there.
    expect(screen).toMatch(/> hello\n\nUnderstood\.\n\nResume with: \S+ chat --session \S+(?:\n|$)/);
  });

  // Seed 4: 4.2
  it("says nothing where nothing was said, because there is no session", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.press("C-d");
    expect(await chat.ended()).toBe(0);
    expect(await chat.screen()).not.toContain("Resume with");
    expect(JSON.parse(await chat.carryon.ask(["sessions", "--json"])).sessions).toEqual([]);
  });
});

describe("a chat that is ended from outside", () => {
  it.each([
    { signal: "SIGTERM", code: 143 },
    { signal: "SIGHUP", code: 129 },
  ] as const)(
    "by $signal gives the terminal back, and goes on with what was typed",
    async ({ signal, code }) => {
      await using chat = await openChatTerminal(scenario);
      await chat.say("hello");
      await chat.waitFor("Understood.");
      await chat.type("half a thought");
      await chat.waitFor("half a thought");
      process.kill(chat.pid, signal);
      expect(await chat.ended()).toBe(code);
      expect(await chat.screen()).toContain("Resume with: carryon chat --session session-");
      await using next = await chat.again(["--session", "latest"]);
      const screen = await next.waitFor("Restored 2 messages.");
      expect(screen).toContain("> hello\n\nUnderstood.\n\nRestored 2 messages.");
      await next.waitFor("\nhalf a thought\n─");
    },
  );

  it("in the middle of a reply keeps what had come", async () => {
    await using chat = await openChatTerminal(scenario);
    await chat.say("go slowly");
    await chat.waitFor("It begins.");
    process.kill(chat.pid, "SIGTERM");
    expect(await chat.ended()).toBe(143);
    await using next = await chat.again(["--session", "latest"]);
    expect(await next.waitFor("Restored 2 messages.")).toContain("It was cut off here.");
  });

  it("by kill -9 gives back what was typed as it was last saved", async () => {
    await using chat = await openChatTerminal(scenario, ["--auto-save-interval", "1"]);
    await chat.say("hello");
    await chat.waitFor("Understood.");
    await chat.type("half a thought");
    await chat.waitFor("half a thought");
    for (let saved = ""; !saved.includes("half a thought"); ) {
      await sleep(100);
      saved = await chat.carryon.ask(["show", "latest"]);
    }
    process.kill(chat.pid, "SIGKILL");
    await chat.ended();
    await using next = await chat.again(["--session", "latest"]);
    await next.waitFor("\nhalf a thought\n─");
    await next.waitFor("What was typed and not sent is still there.");
  });

  it("by kill -9 loses no message, and says what was repaired", async () => {
    await using chat = await openChatTerminal(scenario, ["--yes"]);
    await chat.say("run it");
    await chat.waitFor("Running");
    process.kill(chat.pid, "SIGKILL");
    await chat.ended();
    await using next = await chat.again(["--session", "latest"]);
    const screen = await next.waitFor("Restored 3 messages.");
    expect(screen).toContain("→ bash sleep 15\n  ✗ Interrupted");
    expect(screen).toContain("1 tool call had no result; the model is told so.");
    await next.say("go on");
    await next.waitFor("Done.");
  });
});

describe("Ctrl+Z", () => {
  it("gives the terminal to the shell, and fg comes back to what was typed", async () => {
    await using carryon = await openChatting(scenario, { TERM: "screen-256color", LANG: "C.UTF-8" });
    const cwd = await realpath(join(carryon.folder, "work"));
    const env = { ...carryon.env, PS1: "shell$ ", HISTFILE: "" };
    await using shell = await openTerminal(["bash", "--norc", "--noprofile", "-i"], { cwd, env });
    await shell.waitFor("shell$");
    await shell.type(`${process.execPath} ${launcher} chat`);
    await shell.press("Enter");
    await shell.waitFor("tokens");
    await shell.type("half a thought");
    await shell.waitFor("\nhalf a thought\n─");
    await shell.press("C-z");
    const stopped = await shell.waitFor("Stopped");
    expect(stopped).not.toContain("half a thought");
    await shell.type("echo $((6*7)); fg");
    await shell.press("Enter");
    await shell.waitFor("42");
    await shell.waitFor("\nhalf a thought\n─");
  });
});
