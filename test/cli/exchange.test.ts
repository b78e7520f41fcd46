import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";

const other = (folder: string) => ({ CARRYON_HOME: join(folder, "other") });

describe("carryon export and import", () => {
  // Seed 3: 7.4
  it("carry a session to another store, once, and leave a file for its owner alone", async () => {
    await using carryon = await openCarryon();
    const id = await carryon.record("Hello", "again");
    const file = join(carryon.folder, "work", "talk.jsonl");
    expect(await carryon.call(["export", "latest", "--output", "talk.jsonl"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "Exported 1 session to talk.jsonl\n",
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(join(carryon.folder, "work"))).sort()).toEqual(["talk.jsonl"]);
    const env = other(carryon.folder);
    const imported = await carryon.call(["import", "talk.jsonl"], { env });
    expect(imported).toMatchObject({
      code: 0,
      stdout: "added     session-00000000-000000-0001  3 entries\n",
    });
    const again = await carryon.call(["import", "-"], { env, input: await readFile(file, "utf8") });
    expect(again).toMatchObject({ code: 0, stdout: "known     session-00000000-000000-0001\n" });
    const heads = await Promise.all(
      [{}, env].map(async (each) =>
        JSON.parse((await carryon.call(["verify", id, "--json"], { env: each })).stdout),
      ),
    );
    expect(heads[0]).toEqual(heads[1]);
  });

  it("take in the format sexp what came after the last reset, or all of it", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(
      ["append"],
      [
        { role: "user", text: "before" },
        { kind: "event", event: "reset", data: {}, parent: null },
        { role: "user", text: "after" },
      ],
    );
    const contents = async (...more: readonly string[]) => {
      const { stdout } = await carryon.call(["export", "latest", "--format", "sexp", ...more]);
      return [...stdout.matchAll(/:content "([^"]*)"/g)].map(([, content]) => content);
    };
    expect([await contents(), await contents("--all")]).toEqual([["after"], ["before", "after"]]);
  });

  it("leave a file that is there alone, unless told", async () => {
    await using carryon = await openCarryon();
    await carryon.record("Hello");
    await writeFile(join(carryon.folder, "work", "a.md"), "mine");
    expect(await carryon.call(["export", "latest", "--output", "a.md"])).toMatchObject({
      code: 4,
      stderr: expect.stringContaining("is there already, and was left as it is."),
    });
    expect((await carryon.call(["export", "latest", "--output", "a.md", "--force"])).code).toBe(0);
    expect(await readFile(join(carryon.folder, "work", "a.md"), "utf8")).toContain("# Hello");
  });

  it.each([
    ["a.jsonl", '{"format":"carryon"'],
    ["a.json", '{"format":"carryon-json"'],
    ["a.claude-master.json", '{\n  "sessionId"'],
    ["a.html", "<!doctype html>"],
    ["a.sexp", "(:repl-session"],
    ["noending", '{"format":"carryon"'],
  ])("take the format from the name of the file: %s", async (name, start) => {
    await using carryon = await openCarryon();
    await carryon.record("Hello");
    await carryon.ask(["export", "latest", "--output", name]);
    expect((await readFile(join(carryon.folder, "work", name), "utf8")).slice(0, start.length)).toBe(start);
  });

  it("write nothing to a terminal but what can be read there", async () => {
    await using carryon = await openCarryon();
    await carryon.record("Hello \u001b[31m");
    const onTerminal = async (...args: readonly string[]) => {
      const isTerminal = { input: false, output: true, error: true };
      const given = { env: { ...carryon.env, PAGER: "" }, isTerminal, rows: 1000 };
      const context = testContext(join(carryon.folder, "work"), given);
      return { code: await runCli(["export", "latest", ...args], context), ...context.said };
    };
    expect(await onTerminal()).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("nothing to read on a terminal"),
    });
    expect(await onTerminal("--format", "md")).toMatchObject({
      code: 0,
      out: expect.stringContaining("Hello ^["),
    });
  });

  it("take all sessions of a project in one file, forks as forks", async () => {
    await using carryon = await openCarryon();
    const id = await carryon.record("one");
    const fork = (await carryon.ask(["fork", id])).trim();
    await carryon.ask(["export", "--output", "all.jsonl"]);
    const env = other(carryon.folder);
    const { stdout } = await carryon.call(["import", "all.jsonl", "--json"], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      files: [
        {
          format: "carryon",
          problem: null,
          sessions: [{ outcome: "added" }, { outcome: "added", added: 0 }],
        },
      ],
    });
    const { stdout: shown } = await carryon.call(["sessions", "--all", "--json"], { env });
    const { sessions } = JSON.parse(shown) as { sessions: { id: string; forkedFrom: object | null }[] };
    expect(sessions.filter(({ forkedFrom }) => forkedFrom !== null).length).toBe(1);
    expect(fork).not.toBe(id);
    for (const format of ["sexp", "claude-master"])
      expect((await carryon.call(["export", "--format", format])).stderr).toContain(
        "holds one session, and 2 were chosen",
      );
  });

  it("import every export of a folder, and say which were bad", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const folder = join(carryon.folder, "work", "exports");
    await mkdir(folder);
    await carryon.ask(["export", "latest", "--output", "exports/b.jsonl"]);
    await writeFile(join(folder, "a.json"), "{");
    await writeFile(join(folder, "notes.txt"), "no export");
    expect(await carryon.call(["import", "exports"], { env: other(carryon.folder) })).toEqual({
      code: 2,
      stdout: "added     session-00000000-000000-0001  2 entries\n",
      stderr:
        "exports/a.json: Line 1: it is not valid JSON.\ncarryon: 1 of 2 files could not be imported whole.\n",
    });
    await mkdir(join(carryon.folder, "work", "empty"));
    expect((await carryon.call(["import", "empty"])).stderr).toContain("has no exports in it");
  });

  it("say the line of a bad file, and keep what comes before it with --partial", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const lines = (await carryon.ask(["export", "latest"])).split("\n");
    await writeFile(join(carryon.folder, "work", "cut.jsonl"), lines.slice(0, 2).join("\n"));
    const env = other(carryon.folder);
    expect(await carryon.call(["import", "cut.jsonl"], { env })).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "carryon: cut.jsonl: The end: the file was cut off: its last line, the head of the chain, is missing.\n" +
        "  Nothing was imported. Export it again; or keep what comes before with --partial.\n",
    });
    expect(await carryon.call(["import", "cut.jsonl", "--partial"], { env })).toMatchObject({
      code: 2,
      stdout: "added     session-00000000-000000-0001  1 entry\n",
      stderr: expect.stringContaining("What comes before it was kept."),
    });
    await writeFile(join(carryon.folder, "work", "bad.jsonl"), `${lines[0]}\n{"seq":1`);
    const none = { ...env, CARRYON_HOME: join(carryon.folder, "none") };
    expect(await carryon.call(["import", "bad.jsonl", "--partial"], { env: none })).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("Nothing was imported. No whole entry comes before it"),
    });
    expect(JSON.parse((await carryon.call(["sessions", "--all", "--json"], { env: none })).stdout)).toEqual({
      sessions: [],
      damaged: [],
      next: null,
    });
  });

  it("warn of an entry that is too long for a line, which the format json brings back", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(
      ["append"],
      [
        { role: "user", text: "short" },
        { role: "user", text: "long ".repeat(1_600_001) },
      ],
    );
    const { stderr } = await carryon.call(["export", "latest", "--output", "long.jsonl"]);
    expect(stderr).toMatch(/^Entry 2 of session-\S+ is longer than 8\.0 MB: /);
    expect((await carryon.call(["import", "long.jsonl"])).code).toBe(2);
    expect((await carryon.call(["export", "latest", "--output", "long.json"])).stderr).toMatch(/^Exported/);
    const taken = await carryon.call(["import", "long.json"], { env: other(carryon.folder) });
    expect([taken.code, taken.stdout]).toEqual([0, expect.stringMatching(/^added .* 3 entries\n$/)]);
  });

  it("say what to do with a file that is no export, and which folder is missing", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const hintOf = async (content: string | Uint8Array) => {
      await writeFile(join(carryon.folder, "work", "file"), content);
      return (await carryon.call(["import", "file"])).stderr.split("\n")[1];
    };
    expect([
      await hintOf(gzipSync("x")),
      await hintOf(""),
      await hintOf("# A talk\n"),
      await hintOf('{"format":"carryon","version":99}\n'),
    ]).toMatchInlineSnapshot(`
      [
        "  Nothing was imported. Unpack it first.",
        "  Nothing was imported. Choose another file, or export it again.",
        "  Nothing was imported. The formats carryon, json, claude-master and sexp can be imported; md and html are only to read.",
        "  Nothing was imported. Update Carryon here first.",
      ]
    `);
    const { stderr } = await carryon.call(["export", "latest", "--output", "nowhere/x.jsonl"]);
    expect(stderr.replaceAll(carryon.folder, "")).toMatchInlineSnapshot(`
      "carryon: <folder>/work/nowhere/x.jsonl could not be written: its folder is not there.
        Make the folder first, or choose another place.
      "
    `);
  });

  // Seed 3: 7.3
  it("encrypt with a passphrase from a file or the environment, and ask for it twice on a terminal", async () => {
    await using carryon = await openCarryon();
    await carryon.record("a secret talk");
    const work = join(carryon.folder, "work");
    await writeFile(join(work, "pass"), "open sesame\nnot this\n");
    await carryon.ask(["export", "latest", "--passphrase-file", "pass", "--output", "a.jsonl.age"]);
    expect((await readFile(join(work, "a.jsonl.age"), "latin1")).startsWith("age-encryption.org/v1\n")).toBe(
      true,
    );
    const env = { ...other(carryon.folder), CARRYON_PASSPHRASE: "open sesame" };
    expect((await carryon.call(["import", "a.jsonl.age"], { env })).stdout).toMatch(/^added/);
    expect((await carryon.call(["import", "a.jsonl.age"])).stderr).toContain("There is no terminal to ask");
    const typed = ["one", "two"];
    const context = testContext(work, {
      env: carryon.env,
      isTerminal: { input: true, output: false, error: true },
      askSecret: async () => typed.shift(),
    });
    expect(await runCli(["export", "latest", "--encrypt"], context)).toBe(2);
    expect(context.said.err).toContain("The two are not the same.");
  });

  it("refuse options that are for the other kind of import", async () => {
    await using carryon = await openCarryon();
    expect((await carryon.call(["import", "a.jsonl", "--since", "7d"])).stderr).toContain(
      "are for the import of a client",
    );
    expect((await carryon.call(["import", "claude-code", "--partial"])).stderr).toContain(
      "are for the import of a file",
    );
    expect((await carryon.call(["import", "nowhere.jsonl"])).stderr).toContain("does not exist");
  });
});
