import { mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { recordPrompt as record } from "../support/record-prompt.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";

const first = "11111111-1111-4111-8111-111111111111";

describe("carryon resume --brief", () => {
  const decide = ["decide", "user-decision", 'Use "tea"; `rm` $x', "--context", "c", "--decision", "d"];
  const why = ["--reason", "r", "--impact", "i"];

  it("prints in a pipe how the client is started fresh, with the brief in a file that only its user reads", async () => {
    await using carryon = await openCarryon();
    await carryon.ask([...decide, ...why]);
    const work = join(carryon.folder, "work");
    const { stdout, stderr } = await carryon.call(["resume", "--brief"]);
    const [, file = ""] = /--append-system-prompt-file (\S+)\n$/.exec(stdout) ?? [];
    const path = file.replace("<folder>", carryon.folder);
    expect([stdout, stderr]).toEqual([
      `cd <folder>/work && CARRYON_BRIEF=given claude --append-system-prompt-file ${file}\n`,
      "",
    ]);
    expect(await readFile(path, "utf8")).toBe(await carryon.ask(["brief"]));
    expect([(await stat(path)).mode & 0o777, (await stat(dirname(path))).mode & 0o777]).toEqual([
      0o600, 0o700,
    ]);
    expect(dirname(path)).toBe(join(carryon.folder, "home"));
    await record(carryon, first, "first", work);
    await mkdir(join(work, "below"));
    const below = await carryon.call(["resume", first, "--brief", "--print"], { cwd: join(work, "below") });
    expect(below.stdout).toMatch(/^cd <folder>\/work && CARRYON_BRIEF=given claude /);
    expect(await carryon.ask(["decisions"])).not.toContain("SESSION_START");
  });

  it("starts nothing and writes nothing with an option that is about an earlier session", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    const home = join(carryon.folder, "home");
    const started: unknown[] = [];
    const isTerminal = { input: true, output: true, error: true };
    const start = async (program: unknown) => void started.push(program);
    for (const option of ["--dry-run", "--json"]) {
      const context = testContext(join(carryon.folder, "work"), {
        ...{ env: { CARRYON_HOME: home }, userHome: carryon.folder, isTerminal, start },
      });
      expect(await runCli(["resume", "latest", "--brief", option], context)).toBe(2);
      expect(context.said.err).toContain("Option '--brief' cannot be used with option");
    }
    expect(started).toEqual([]);
    expect((await readdir(home)).filter((name) => name.startsWith("brief-"))).toEqual([]);
  });

  it("starts the client on a terminal, and takes the file away when it ends", async () => {
    await using carryon = await openCarryon();
    await carryon.ask([...decide, ...why]);
    const cwd = join(carryon.folder, "work");
    const env = { CARRYON_HOME: join(carryon.folder, "home") };
    const started: unknown[] = [];
    const context = testContext(cwd, {
      env,
      userHome: carryon.folder,
      isTerminal: { input: true, output: true, error: true },
      start: async ({ args, ...program }) => {
        const [option, file = ""] = args;
        started.push({ ...program, option, file, told: await readFile(file, "utf8") });
        throw new Error("It could not be started.");
      },
    });
    expect(await runCli(["resume", "--brief"], context)).toBe(1);
    const told = expect.stringContaining('USER_DECISION: Use "tea"; `rm` $x -- d');
    expect(started).toEqual([
      {
        ...{ cwd, program: "claude", env: { ...env, CARRYON_BRIEF: "given" } },
        ...{ option: "--append-system-prompt-file", file: expect.any(String), told },
      },
    ]);
    const [{ file }] = started as [{ file: string }];
    await expect(stat(file)).rejects.toThrow("ENOENT");
  });

  it("leaves the file of a printed command for two weeks, and not for good", async () => {
    await using carryon = await openCarryon();
    const home = join(carryon.folder, "home");
    const briefs = async () => (await readdir(home)).filter((name) => name.startsWith("brief-"));
    await carryon.ask(["resume", "--brief", "--print"]);
    const [old = ""] = await briefs();
    const age = async (days: number) => {
      const at = new Date(Date.now() - days * 86_400_000);
      await utimes(join(home, old), at, at);
      await carryon.ask(["status"]);
      return (await briefs()).includes(old);
    };
    expect([await age(13.9), await age(14.1)]).toEqual([true, false]);
    expect(await briefs()).toEqual([]);
  });

  it("leaves no file to what was scrubbed from the record", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "the word is hunter22");
    await carryon.ask(["resume", "--brief", "--print"]);
    await carryon.ask(["scrub", "hunter22", "--yes"]);
    const left = (await readdir(join(carryon.folder, "home"))).filter((name) => name.startsWith("brief-"));
    expect(left).toEqual([]);
  });

  it("needs no session, and tells where the one that is named has no folder any more", async () => {
    await using carryon = await openCarryon();
    const gone = join(carryon.folder, "gone");
    await mkdir(gone);
    await record(carryon, first, "first", gone);
    await rm(gone, { recursive: true });
    expect((await carryon.call(["resume", "--brief"])).code).toBe(0);
    const { code, stderr } = await carryon.call(["resume", first, "--brief"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`The folder of session ${first} is gone: `)]);
  });
});
