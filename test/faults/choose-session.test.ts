import { chmod, mkdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { launcher } from "../support/test-context.ts";

/** The client takes no id like the last one, so that it cannot be given what it has deleted. */
const ids = [...["1", "2"].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`), "33333333-odd"];

/** Writes a transcript of prompts as Claude Code does, and returns where it is. */
async function write(carryon: Carryon, id: string, prompts: readonly string[]): Promise<string> {
  const cwd = await realpath(join(carryon.folder, "work"));
  const path = join(carryon.folder, ".claude", "projects", makeSlug(cwd), `${id}.jsonl`);
  const ago = (seconds: number) => new Date(Date.now() - 1000 * seconds).toISOString();
  const rows = prompts.map((content, index) => ({
    ...{ type: "user", uuid: `${id}-${index}`, parentUuid: index === 0 ? null : `${id}-${index - 1}` },
    ...{ sessionId: id, cwd, timestamp: ago(60 * (8 - Number(id[0])) - index) },
    message: { role: "user", content },
  }));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return path;
}

/** Three sessions, the newest of which has lost its transcript, and a client that only says how it was started. */
async function openPicker(columns: number): Promise<Terminal & { readonly end: () => Promise<void> }> {
  const carryon = await openCarryon();
  const [first = "", second = "", third = ""] = ids;
  await write(carryon, first, ["Fix the login", "And the tests"]);
  await write(carryon, second, ["ログインを直してください", "続けて"]);
  const lost = await write(carryon, third, ["Killed early"]);
  // Its list of processes says that none of them is there any more.
  await mkdir(join(carryon.folder, ".claude", "sessions"));
  await carryon.ask(["import", "claude-code"]);
  await rm(lost);
  const bin = join(carryon.folder, "bin");
  await mkdir(bin);
  await writeFile(join(bin, "claude"), '#!/bin/sh\necho "claude $*"\n');
  await chmod(join(bin, "claude"), 0o755);
  const env = {
    ...{ HOME: carryon.folder, CARRYON_HOME: join(carryon.folder, "home"), TERM: "xterm" },
    ...{ LANG: "C.UTF-8", PATH: `${bin}:${process.env.PATH}`, NO_COLOR: "1" },
  };
  const cwd = await realpath(join(carryon.folder, "work"));
  const terminal = await openTerminal([process.execPath, launcher, "resume"], { cwd, env, columns });
  const end = async () => {
    await terminal[Symbol.asyncDispose]();
    await carryon[Symbol.asyncDispose]();
  };
  return { ...terminal, end, [Symbol.asyncDispose]: end };
}

describe("carryon resume on a terminal", () => {
  it("shows each session, and below the highlighted one what was asked last", async () => {
    await using picker = await openPicker(80);
    const screen = await picker.waitFor("Last prompt");
    expect(screen.replace(/\dm ago/g, "Nm ago")).toMatchInlineSnapshot(`
      "│
      ◆  Which session? 3 in all
      │
      │  Search: _
      │  ○ Killed early                    Nm ago   ✗ no transcript
      │  ● ログインを直してください        Nm ago   interrupted
      │    Last prompt: 続けて
      │    22222222 · 2 messages
      │  ○ Fix the login                   Nm ago   interrupted
      │  ↑/↓ to select • Enter: confirm • Type: to search
      └"
    `);
  });

  it("goes on in the one that is found by typing", async () => {
    await using picker = await openPicker(80);
    await picker.waitFor("Last prompt: 続けて");
    await picker.type("tests");
    await picker.waitFor("Last prompt: And the tests");
    await picker.press("Enter");
    await picker.waitFor(`claude --resume=${ids[0]}`);
    expect(await picker.ended()).toBe(0);
  });

  it("finds one by what was said in it, and says how many there are", async () => {
    await using picker = await openPicker(80);
    await picker.waitFor("Last prompt: 続けて");
    await picker.type("fixing logins");
    await picker.waitFor("Which session? 1 of 3\n");
    await picker.waitFor("Last prompt: And the tests");
    await picker.press("Enter");
    await picker.waitFor(`claude --resume=${ids[0]}`);
    expect(await picker.ended()).toBe(0);
  });

  it("does not start one that cannot be resumed, and says how to read it", async () => {
    await using picker = await openPicker(80);
    await picker.waitFor("Last prompt: 続けて");
    await picker.pressUntil("Up", "● Killed early");
    await picker.press("Enter");
    await picker.waitFor("This one cannot be resumed. Read it with `carryon show 33333333-odd`.");
    await picker.press("Escape");
    await picker.waitFor("Nothing was started.");
    expect(await picker.ended()).toBe(0);
  });
});
