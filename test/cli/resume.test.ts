import { chmod, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { openTerminal } from "../support/terminal.ts";
import { launcher, testContext } from "../support/test-context.ts";

const first = "11111111-1111-4111-8111-111111111111";
const second = "22222222-2222-4222-8222-222222222222";

/** Writes a transcript of one prompt as Claude Code does in a folder, the current one unless told, and takes it in. */
async function record(carryon: Carryon, session: string, text: string, cwd?: string): Promise<string> {
  const folder = await realpath(cwd ?? join(carryon.folder, "work"));
  const path = join(carryon.folder, ".claude", "projects", makeSlug(folder), `${session}.jsonl`);
  const row = {
    ...{ type: "user", uuid: `row-${session[0]}`, parentUuid: null, sessionId: session, cwd: folder },
    ...{ timestamp: `2026-11-15T12:0${session[0]}:00.000Z`, message: { role: "user", content: text } },
  };
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(row)}\n`);
  await carryon.ask(["sync"]);
  return path;
}

describe("carryon resume", () => {
  it("prints in a pipe how the client is started where the session was", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await record(carryon, second, "second");
    const work = await realpath(join(carryon.folder, "work"));
    expect(await carryon.ask(["resume"])).toBe(`cd ${work} && claude --resume=${second}\n`);
    expect(await carryon.ask(["resume", "first"])).toBe(`cd ${work} && claude --resume=${first}\n`);
  });

  it("quotes the folder for the shell", async () => {
    await using carryon = await openCarryon();
    const folder = join(carryon.folder, "it's $HOME");
    await mkdir(folder);
    await record(carryon, first, "first", folder);
    expect(await carryon.ask(["resume", first, "--print"])).toBe(
      `cd '${(await realpath(folder)).replace("'", "'\\''")}' && claude --resume=${first}\n`,
    );
  });

  it("lets a person choose, and starts the client there", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await record(carryon, second, "second");
    const cwd = join(carryon.folder, "work");
    const started: unknown[] = [];
    const asked: unknown[] = [];
    const context = testContext(cwd, {
      env: { CARRYON_HOME: join(carryon.folder, "home") },
      userHome: carryon.folder,
      isTerminal: { input: true, output: true, error: true },
      choose: async (_question, choices) => {
        asked.push(...choices.map(({ label }) => label));
        return asked.length === 2 ? 1 : undefined;
      },
      start: async (program) => void started.push(program),
    });
    expect(await runCli(["resume"], context)).toBe(0);
    const command = { cwd: await realpath(cwd), program: "claude", args: [`--resume=${first}`] };
    expect([asked, started]).toEqual([["second", "first"], [command]]);
    expect(await runCli(["resume"], context)).toBe(0);
    expect([started.length, context.said.err]).toEqual([1, "Nothing was started.\n"]);
  });

  it("hands the terminal to the client and ends as it does", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    const bin = join(carryon.folder, "bin");
    await mkdir(bin);
    await writeFile(
      join(bin, "claude"),
      '#!/bin/sh\necho "in $PWD with $*"; read -r line; echo "got $line"; exit 7\n',
    );
    await chmod(join(bin, "claude"), 0o755);
    const env = {
      ...{ HOME: carryon.folder, CARRYON_HOME: join(carryon.folder, "home"), TERM: "xterm" },
      PATH: `${bin}:${process.env.PATH}`,
    };
    const cwd = await realpath(join(carryon.folder, "work"));
    await using terminal = await openTerminal([process.execPath, launcher, "resume"], { cwd, env });
    await terminal.waitFor(`--resume=${first}`);
    await terminal.type("hello\r");
    await terminal.waitFor("got hello");
    expect(await terminal.ended()).toBe(7);
  });

  it.each([
    {
      case: "a session that no client wrote",
      says: "was recorded with `carryon append`, so that there is no client to start.",
      prepare: async (carryon: Carryon) => carryon.record("hello"),
    },
    {
      case: "a fork that the client does not know",
      says: "was forked here, and Claude Code does not know it.",
      prepare: async (carryon: Carryon) => {
        await record(carryon, first, "first");
        return (await carryon.ask(["fork", first])).trim();
      },
    },
    {
      case: "a transcript that the client has deleted",
      says: `Claude Code has no transcript of session ${first}.`,
      prepare: async (carryon: Carryon) => {
        await rm(await record(carryon, first, "first"));
        return first;
      },
    },
    {
      case: "a folder that is gone",
      says: `The folder of session ${first} is gone: `,
      prepare: async (carryon: Carryon) => {
        const folder = join(carryon.folder, "gone");
        await mkdir(folder);
        await record(carryon, first, "first", folder);
        await rm(folder, { recursive: true });
        return first;
      },
    },
  ])("refuses $case", async ({ prepare, says }) => {
    await using carryon = await openCarryon();
    const id = await prepare(carryon);
    expect(await carryon.run(["resume", id])).toEqual({
      ...{ code: 2, stdout: "", stderr: expect.stringContaining(says) },
    });
  });
});

describe("carryon relink", () => {
  it("makes the sessions of a folder that has moved those of this one, and resume says what is left to do", async () => {
    await using carryon = await openCarryon();
    const [old, now] = [join(carryon.folder, "old"), join(carryon.folder, "now")];
    await mkdir(old);
    const path = await record(carryon, first, "first", old);
    await rename(old, now);
    const run = (...args: readonly string[]) => carryon.run(args, { cwd: now });
    expect(await run("resume", first)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("is gone"),
    });
    expect(await run("relink", "../old")).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "What was recorded in <folder>/old belongs to now now.
      ",
        "stdout": "",
      }
    `);
    const listed = await carryon.run(["sessions", "--json"], { cwd: now });
    expect(JSON.parse(listed.stdout)).toMatchObject({ sessions: [{ id: first }] });
    expect(await run("resume", first)).toMatchObject({
      ...{ code: 0, stdout: `cd <folder>/now && claude --resume=${first}\n` },
      stderr: expect.stringMatching(
        /^Older versions of Claude Code do not find the session from <folder>\/now\. .*\n$/,
      ),
    });
    const copy = join(dirname(dirname(path)), makeSlug(await realpath(now)), `${first}.jsonl`);
    await mkdir(dirname(copy));
    await rename(path, copy);
    expect(await run("resume", first)).toEqual({
      ...{ code: 0, stderr: "", stdout: `cd <folder>/now && claude --resume=${first}\n` },
    });
  });

  it("refuses a folder that is still there, and one where nothing was recorded", async () => {
    await using carryon = await openCarryon();
    await carryon.record("hello");
    expect(await carryon.run(["relink", ".."])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: <folder> is still there, so that its project has not moved.
        Give the folder that the project was in before.
      ",
        "stdout": "",
      }
    `);
    expect(await carryon.run(["relink", "../never"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: Nothing was recorded in <folder>/never.
        Give the whole path of the folder; \`carryon sessions --all --json\` shows where sessions began.
      ",
        "stdout": "",
      }
    `);
  });
});
