import { mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { recordPrompt as record } from "../support/record-prompt.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";
import { openWork } from "../support/work-project.ts";

const first = "11111111-1111-4111-8111-111111111111";
const second = "22222222-2222-4222-8222-222222222222";

describe("carryon resume", () => {
  it("prints in a pipe how the client is started where the session was", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await record(carryon, second, "second");
    const work = await realpath(join(carryon.folder, "work"));
    expect(await carryon.ask(["resume"])).toBe(`cd ${work} && claude --resume=${second}\n`);
    expect(await carryon.ask(["resume", "first"])).toBe(`cd ${work} && claude --resume=${first}\n`);
  });

  it("says in a line that another branch is checked out than the session was on, and how to switch", async () => {
    await using work = await openWork();
    await work.git("switch", "--quiet", "--create", "it's/round");
    await record(work.carryon, first, "first", work.root, { gitBranch: "it's/round" });
    expect((await work.call(["resume", first])).stderr).toBe("");
    await work.git("switch", "--quiet", "main");
    const session = first.replace("111111111111", "<commit>");
    const was = `Session ${session} was on the branch it's/round, and`;
    expect(await work.call(["resume", first])).toEqual({
      ...{ code: 0, stdout: `cd <folder>/work && claude --resume=${session}\n` },
      stderr: `${was} main is checked out now. To switch first: \`git -C <folder>/work switch 'it'\\''s/round'\`\n`,
    });
    await work.git("branch", "--quiet", "--delete", "it's/round");
    await work.git("checkout", "--quiet", "--detach");
    expect((await work.call(["resume", first])).stderr).toBe(
      `${was} no branch is checked out now. That branch is gone.\n`,
    );
  });

  it("says that it goes on in another clone, and how to go on in this one", async () => {
    await using work = await openWork();
    await record(work.carryon, first, "first", work.root);
    await work.git("clone", "--quiet", ".", "../clone");
    const clone = join(work.folder, "clone");
    const session = first.replace("111111111111", "<commit>");
    expect(await work.call(["resume", first], {}, clone)).toEqual({
      ...{ code: 0, stdout: `cd <folder>/work && claude --resume=${session}\n` },
      stderr: `Session ${session} goes on in <folder>/work, where it was, and not in <folder>/clone. To go on here, fork it: \`carryon fork ${session} --resume\`\n`,
    });
    const forked = await work.call(["fork", first, "--resume"], {}, clone);
    expect([forked.stdout, forked.stderr]).toEqual([
      expect.stringContaining("cd <folder>/clone && claude --resume="),
      expect.not.stringContaining("goes on in"),
    ]);
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
    const env = { CARRYON_HOME: join(carryon.folder, "home") };
    const context = testContext(cwd, {
      env,
      userHome: carryon.folder,
      isTerminal: { input: true, output: true, error: true },
      choose: async (_question, choices) => {
        asked.push(...choices.map(({ label }) => label.split(" ")[0]));
        return asked.length === 2 ? 1 : undefined;
      },
      start: async (program) => void started.push(program),
    });
    expect(await runCli(["resume"], context)).toBe(0);
    const command = { cwd: await realpath(cwd), program: "claude", args: [`--resume=${first}`], env };
    expect([asked, started]).toEqual([["second", "first"], [command]]);
    expect(await runCli(["resume"], context)).toBe(0);
    expect([started.length, context.said.err]).toEqual([1, "Nothing was started.\n"]);
  });

  it("offers all sessions, and finds them by what was said in them", async () => {
    await using carryon = await openCarryon();
    const ids = Array.from({ length: 32 }, (_, at) => `${10_000_000 + at}-1111-4111-8111-111111111111`);
    for (const id of ids)
      await record(carryon, id, `prompt ${id === ids[7] ? "about Marmalade and its shelf life" : id}`);
    const told: unknown[] = [];
    const context = testContext(join(carryon.folder, "work"), {
      env: { CARRYON_HOME: join(carryon.folder, "home") },
      userHome: carryon.folder,
      isTerminal: { input: true, output: true, error: true },
      choose: async (_question, choices, reader) => {
        const [found = -1] = (await reader?.find("how long is the life of marmalade?")) ?? [];
        const whole = await reader?.read(found);
        told.push(choices.length, await reader?.find("marmal"), await reader?.find("nowhere"), whole?.detail);
        return undefined;
      },
    });
    expect(await runCli(["resume"], context)).toBe(0);
    const detail = ["Last prompt: prompt about Marmalade and its shelf life", "10000007 · 1 message"];
    expect(told).toEqual([32, [24], [], detail]);
  });

  it("refuses a folder that is gone, with the command that says where its project is now", async () => {
    await using carryon = await openCarryon();
    const folder = join(await realpath(carryon.folder), "it's old");
    await mkdir(folder);
    await record(carryon, first, "first", folder);
    await rename(folder, join(carryon.folder, "now"));
    const { code, stdout, stderr } = await carryon.call(["resume", first]);
    expect([code, stdout, stderr]).toEqual([
      ...[2, ""],
      `carryon: The folder of session ${first} is gone: <folder>/it's old\n` +
        "  Change to where its project is now. If it is not recognised there: `carryon relink '<folder>/it'\\''s old'`\n",
    ]);
    const cwd = join(carryon.folder, "now");
    const [, word = ""] = /relink '(.+)'`/.exec(stderr) ?? [];
    const old = word.replace("<folder>", carryon.folder).replace("'\\''", "'");
    expect(await carryon.call(["relink", old], { cwd })).toMatchObject({ code: 0 });
    expect((await carryon.call(["resume", first], { cwd })).stdout).toBe(
      `cd <folder>/now && claude --resume=${first}\n`,
    );
  });
});

describe("carryon resume latest", () => {
  const said = "A newer one cannot be resumed. Nothing was said in session";

  it("takes the newest session that can be resumed, and says which one it passed over", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await carryon.ask(["append"], [{ kind: "event", event: "noted", data: {} }]);
    expect(await carryon.call(["resume", "latest"])).toEqual({
      ...{ code: 0, stdout: `cd <folder>/work && claude --resume=${first}\n` },
      stderr: expect.stringContaining(said),
    });
  });

  it("says why the newest cannot be resumed when none can", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["append"], [{ kind: "event", event: "noted", data: {} }]);
    expect(await carryon.call(["resume", "latest"])).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("Nothing was said in session") },
    });
  });
});

describe("carryon resume of a session that somebody else is in", () => {
  const list = async ({ folder }: Carryon, pid: number, more: object = {}) => {
    const sessions = join(folder, ".claude", "sessions");
    await mkdir(sessions, { recursive: true });
    await writeFile(join(sessions, `${pid}.json`), JSON.stringify({ pid, sessionId: first, ...more }));
  };

  it("warns of the process that has it open, and of the way around it", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await list(carryon, process.pid);
    expect(await carryon.call(["resume", first])).toEqual({
      code: 0,
      stdout: `cd <folder>/work && claude --resume=${first}\n`,
      stderr: `Session ${first} is open in Claude Code, process ${process.pid}. Two clients in one session do not see what the other does: close it there first, or go on in a fork with \`carryon fork ${first} --resume\`\n`,
    });
  });

  it.each([
    { answer: false, started: 0 },
    { answer: true, started: 1 },
  ])("asks on a terminal before a second client is started: $answer", async ({ answer, started }) => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await list(carryon, process.pid);
    const asked: string[] = [];
    const programs: unknown[] = [];
    const context = testContext(join(carryon.folder, "work"), {
      env: { CARRYON_HOME: join(carryon.folder, "home") },
      userHome: carryon.folder,
      isTerminal: { input: true, output: true, error: true },
      confirm: async (question) => {
        asked.push(question);
        return answer;
      },
      start: async (program) => void programs.push(program),
    });
    expect(await runCli(["resume", first], context)).toBe(0);
    expect([asked, programs.length]).toEqual([["Start Claude Code in it all the same?"], started]);
  });

  it("warns of a session that was open on another machine", async () => {
    await using carryon = await openCarryon();
    await list(carryon, process.pid);
    await record(carryon, first, "first");
    await rm(join(carryon.folder, ".claude", "sessions"), { recursive: true });
    const context = testContext(join(carryon.folder, "work"), {
      env: { CARRYON_HOME: join(carryon.folder, "home") },
      userHome: carryon.folder,
      machine: "another",
    });
    expect(await runCli(["resume", first, "--print"], context)).toBe(0);
    expect(context.said.err).toContain(
      `Session ${first} was open on ${hostname()} when it was last recorded. Two clients`,
    );
  });

  it("does not warn of a process that is gone", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await list(carryon, 2 ** 22 + 1);
    expect((await carryon.call(["resume", first])).stderr).toBe("");
  });
});
