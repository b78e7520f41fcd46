import { chmod, mkdir, realpath, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { makeEntryId, openProject, parseSessionId } from "../../src/index.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { launcher } from "../support/test-context.ts";

const ids = ["1", "2"].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`);

/** Writes a transcript of prompts as Claude Code does. */
async function write(carryon: Carryon, id: string, prompts: readonly string[]): Promise<void> {
  const cwd = await realpath(join(carryon.folder, "work"));
  const path = join(carryon.folder, ".claude", "projects", makeSlug(cwd), `${id}.jsonl`);
  const rows = prompts.map((content, index) => ({
    ...{ type: "user", uuid: `${id}-${index}`, parentUuid: index === 0 ? null : `${id}-${index - 1}` },
    ...{ sessionId: id, cwd, timestamp: ago(60 * (8 - Number(id[0])) - index).toISOString() },
    message: { role: "user", content },
  }));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

const ago = (seconds: number) => new Date(Date.now() - 1000 * seconds);

/** Records a run whose task is done: it goes on only with something further to do. */
async function recordRun(carryon: Carryon): Promise<void> {
  const cwd = await realpath(join(carryon.folder, "work"));
  const { store, project } = await openProject({ cwd, home: join(carryon.folder, "home") }, "write");
  const at = ago(300);
  const start = { id: parseSessionId("33333333-run"), project: project.id, client: "carryon-run" };
  await store.log.open({ ...start, title: "Port the suite", cwd, machine: "m", startedAt: at }, [
    { id: makeEntryId(at), at, kind: "event", event: "ended", data: { reason: "done" } },
  ]);
  await store[Symbol.asyncDispose]();
}

/** Three sessions, the newest of which cannot be resumed, and a client that only says how it was started. */
async function openPicker(columns: number): Promise<Terminal & { readonly end: () => Promise<void> }> {
  const carryon = await openCarryon();
  const [first = "", second = ""] = ids;
  await write(carryon, first, ["Fix the login", "And the tests"]);
  await write(carryon, second, ["ログインを直してください", "続けて"]);
  // Its list of processes says that none of them is there any more.
  await mkdir(join(carryon.folder, ".claude", "sessions"));
  await carryon.ask(["import", "claude-code"]);
  await recordRun(carryon);
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
      │  ○ Port the suite                  Nm ago   ✗ task done
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
    await picker.pressUntil("Up", "● Port the suite");
    await picker.press("Enter");
    await picker.waitFor("This one cannot be resumed. Read it with `carryon show 33333333-run`.");
    await picker.press("Escape");
    await picker.waitFor("Nothing was started.");
    expect(await picker.ended()).toBe(0);
  });
});
