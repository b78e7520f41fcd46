import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { filesWith } from "../support/files-with.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { tamper } from "../support/store-files.ts";
import { testContext } from "../support/test-context.ts";

/** Runs a command as on a terminal where somebody types a secret and gives one answer. */
async function answer(carryon: Carryon, consents: boolean, typed: string | undefined) {
  const questions: string[] = [];
  const context = testContext(join(carryon.folder, "work"), {
    env: { CARRYON_HOME: join(carryon.folder, "home") },
    isTerminal: { input: true, output: true, error: true },
    columns: 80,
    confirm: async (question) => {
      questions.push(question);
      return consents;
    },
    askSecret: async (question) => {
      questions.push(question);
      return typed;
    },
  });
  const code = await runCli(["scrub", "-"], context);
  return { code, questions, said: context.said };
}

const home = (carryon: Carryon) => join(carryon.folder, "home");

describe("scrub", () => {
  it("lists where it is, and changes nothing without --yes in a pipe or with --dry-run", async () => {
    await using carryon = await openCarryon();
    const origin = await carryon.record("tell them hunter22", "fine", "really hunter22");
    await carryon.ask(["fork", origin, "--at", "1", "--title", "Fork"]);
    await carryon.record("nothing here");
    const runs = [
      await carryon.call(["scrub", "hunter22"]),
      await carryon.call(["scrub", "hunter22", "--dry-run"]),
    ];
    expect(runs).toMatchInlineSnapshot(`
      [
        {
          "code": 2,
          "stderr": "carryon: There is no terminal to ask on. Nothing was scrubbed.
        Add --yes to answer beforehand.
      ",
          "stdout": "SESSION                            ENTRIES  ALSO IN
      session-00000000-000000-0001             2  title
      session-00000000-000000-0002-fork        1  opening
      ",
        },
        {
          "code": 0,
          "stderr": "Found in 2 entries of 2 sessions.
      ",
          "stdout": "SESSION                            ENTRIES  ALSO IN
      session-00000000-000000-0001             2  title
      session-00000000-000000-0002-fork        1  opening
      ",
        },
      ]
    `);
    expect(await filesWith(home(carryon), ["hunter22"])).not.toEqual([]);
  });

  it("replaces it, says what to do about the rest, and finds nothing the second time", async () => {
    await using carryon = await openCarryon();
    await carryon.record("tell them hunter22", "fine");
    await writeFile(join(home(carryon), "store.before-restore-20261115T143022004.db"), "");
    const runs = [
      await carryon.call(["scrub", "hunter22", "--yes"]),
      await carryon.call(["scrub", "hunter22", "--yes"]),
      await carryon.call(["verify"]),
      await carryon.call(["show", "latest"]),
    ];
    expect(
      runs.map(({ stdout, ...run }) => ({
        ...run,
        stdout: stdout.replace(/scrubbed:\w{8}/g, "scrubbed:<mac>"),
      })),
    ).toMatchInlineSnapshot(`
      [
        {
          "code": 0,
          "stderr": "Scrubbed 1 entry of 1 session.
      Backups from before, replicas, and the files of a database server may still hold it.
      Change the secret: whoever could read the store may have it, and a short one can be guessed from the hashes that stay.
      Other stores that were not looked at:
        <folder>/home/store.before-restore-<stamp>.db
      ",
          "stdout": "SESSION                       ENTRIES  ALSO IN
      session-00000000-000000-0001        1  title
      ",
        },
        {
          "code": 0,
          "stderr": "Nothing was found.
      Other stores that were not looked at:
        <folder>/home/store.before-restore-<stamp>.db
      ",
          "stdout": "",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "ok   session-00000000-000000-0001  4 entries, 1 scrubbed
      1 session, 4 entries: all whole and unchanged but for what was scrubbed.
      ",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "tell them [redacted:scrubbed:<mac>]
      session-00000000-000000-0001
      carryon-append · work · ended · 2 messages · <day> <clock>

      user #1 · <clock>
        tell them [redacted:scrubbed:<mac>]

      user #2 · <clock>
        fine

      ended #3 · <clock>

      scrubbed #4 · <clock>  a secret was taken out of 1 entry

      ",
        },
      ]
    `);
    expect(await filesWith(home(carryon), ["hunter22"])).toEqual([]);
  });

  it("tells the first words from a title that was given", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["append", "--title", "Plain title"], [{ role: "user", text: "tell them hunter22" }]);
    const { sessions } = JSON.parse(await carryon.ask(["scrub", "hunter22", "--dry-run", "--json"]));
    expect(sessions).toMatchObject([{ entries: 1, describedIn: ["opening"] }]);
  });

  it("answers in JSON, with and without a change", async () => {
    await using carryon = await openCarryon();
    const id = await carryon.record("tell them hunter22");
    const fixed = { sessions: 0, entries: 0, projects: 0 };
    const none = { otherCase: 0, unreadable: 0, damaged: [], copies: [], unfinished: false };
    const found = { entries: 1, projectNames: 0, pending: 0, fixed, ...none };
    const sessions = [{ session: id, entries: 1, describedIn: ["title"] }];
    const replaced = { entries: 1, sessions: 1, projectNames: 0, damaged: [], wiped: true };
    const ask = async (...args: string[]) =>
      JSON.parse(await carryon.ask(["scrub", "hunter22", "--json", ...args]));
    expect(await ask("--dry-run")).toEqual({ ...found, sessions, replaced: null });
    expect(await ask("--yes")).toEqual({ ...found, sessions, replaced });
    expect(await ask("--yes")).toEqual({ ...found, entries: 0, sessions: [], replaced: null });
    expect(JSON.parse(await carryon.ask(["verify", "--json"]))).toMatchObject({
      sessions: [{ session: id, scrubbed: 1, problem: null }],
      ok: true,
    });
  });

  it("takes a pattern of several lines from a pipe, and a regular expression in any case", async () => {
    await using carryon = await openCarryon();
    await carryon.record("-----BEGIN-----\nabc\ndef\n-----END-----", "Key-17 key-18 -----BEGIN-----");
    const key = await carryon.call(["scrub", "-", "--yes"], {
      input: "-----BEGIN-----\nabc\ndef\n-----END-----\n",
    });
    const regex = await carryon.call(["scrub", String.raw`key-\d+`, "--regex", "--ignore-case", "--yes"]);
    expect([key.code, regex.code]).toEqual([0, 0]);
    const { entries } = JSON.parse(await carryon.ask(["show", "latest", "--json"]));
    const text = (index: number) => entries[index].parts[0].text.replace(/scrubbed:\w{8}/g, "m");
    expect([text(0), text(1)]).toEqual(["[redacted:m]", "[redacted:m] [redacted:m] -----BEGIN-----"]);
  });

  it("asks for the secret unseen on a terminal, and no is no", async () => {
    await using carryon = await openCarryon();
    await carryon.record("tell them hunter22");
    const refused = await answer(carryon, false, "hunter22");
    expect(refused).toMatchObject({
      code: 0,
      questions: ["What is to be scrubbed?", "Replace it for good in 1 entry of 1 session?"],
    });
    expect(await filesWith(home(carryon), ["hunter22"])).not.toEqual([]);
    const done = await answer(carryon, true, "hunter22");
    expect(JSON.stringify([refused.said, done.said])).not.toContain("hunter22");
    expect(await filesWith(home(carryon), ["hunter22"])).toEqual([]);
    expect(await answer(carryon, true, undefined)).toMatchObject({
      code: 2,
      questions: ["What is to be scrubbed?"],
    });
  });

  it("never prints the secret, although the id of a session has it", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["append", "--title", "use hunter22 here"], [{ role: "user", text: "x" }]);
    await carryon.ask(["append"], [{ id: "e-hunter22", role: "user", text: "y" }]);
    const runs = [
      await carryon.call(["scrub", "hunter22", "--yes"]),
      await carryon.call(["scrub", "hunter22", "--dry-run", "--json"]),
    ];
    expect(runs).toMatchInlineSnapshot(`
      [
        {
          "code": 0,
          "stderr": "Scrubbed what describes 1 session.
      Backups from before, replicas, and the files of a database server may still hold it.
      Change the secret: whoever could read the store may have it, and a short one can be guessed from the hashes that stay.
      It stays in the names of 1 session, the names of 1 entry: what things are known by cannot be changed.
      ",
          "stdout": "SESSION                                  ENTRIES  ALSO IN
      session-00000000-000000-0001-use-…-here        0  title
      ",
        },
        {
          "code": 0,
          "stderr": "",
          "stdout": "{"entries":0,"sessions":[],"otherCase":0,"damaged":[],"projectNames":0,"pending":0,"fixed":{"sessions":1,"entries":1,"projects":0},"unreadable":0,"copies":[],"unfinished":false,"replaced":null}
      ",
        },
      ]
    `);
  });

  it.each([
    { case: "a short text", args: ["abc"] },
    { case: "a regular expression that is none", args: ["--regex", "hunter22("] },
    { case: "one that matches everything", args: ["--regex", "(hunter22)?"] },
    { case: "an empty input", args: ["-"] },
  ])("refuses $case without repeating it", async ({ args }) => {
    await using carryon = await openCarryon();
    await carryon.record("x");
    const { code, stdout, stderr } = await carryon.call(["scrub", "--json", "--yes", ...args]);
    expect({ code, stdout, error: JSON.parse(stderr).error.code }).toEqual({
      code: 2,
      stdout: "",
      error: "bad-pattern",
    });
    expect(stderr).not.toContain("hunter22");
  });

  it("says that there is no store yet, and makes none", async () => {
    await using carryon = await openCarryon();
    const { code, stderr } = await carryon.call(["scrub", "hunter22", "--yes"]);
    expect([code, stderr.split("\n")[0]]).toEqual([
      2,
      "carryon: There is no store at <folder>/home/store.db yet.",
    ]);
  });

  it("says when damaged entries could not be looked at", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one", "two");
    tamper(home(carryon), "UPDATE body SET json = '{' WHERE json LIKE '%two%'");
    expect(await carryon.call(["scrub", "hunter2+", "--regex"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "Nothing was found.\n1 damaged entry could not be looked at: see `carryon verify`.\n",
    });
  });
});
