import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { testContext } from "../support/test-context.ts";

async function titles(carryon: Carryon): Promise<readonly string[]> {
  const page = JSON.parse(await carryon.ask(["sessions", "--json"]));
  return page.sessions.map((session: { title: string }) => session.title);
}

/** Runs a command as on a terminal where somebody gives one answer. */
async function answer(carryon: Carryon, consents: boolean, args: readonly string[]) {
  const questions: string[] = [];
  const context = testContext(`${carryon.folder}/work`, {
    env: { CARRYON_HOME: `${carryon.folder}/home` },
    isTerminal: { input: true, output: true, error: true },
    columns: 80,
    confirm: async (question) => {
      questions.push(question);
      return consents;
    },
  });
  const code = await runCli(args, context);
  return { code, questions, lastWord: context.said.err.trimEnd().split("\n").at(-1) };
}

describe("delete", () => {
  it("deletes nothing in a pipe without --yes, nor when one of the ids is wrong", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const runs = [
      await carryon.call(["delete", "one"]),
      await carryon.call(["delete", "one", "nope", "--yes"]),
    ];
    expect(runs).toMatchInlineSnapshot(`
      [
        {
          "code": 2,
          "stderr": "carryon: There is no terminal to ask on. Nothing was deleted.
        Add --yes to answer beforehand.
      ",
          "stdout": "",
        },
        {
          "code": 2,
          "stderr": "carryon: There is no session nope in this store.
        List the sessions with \`carryon sessions --all\`.
      ",
          "stdout": "",
        },
      ]
    `);
    expect(await titles(carryon)).toEqual(["one"]);
  });

  it("says what is gone, and what stays because a fork shares it", async () => {
    await using carryon = await openCarryon();
    const origin = await carryon.record("one", "two");
    await carryon.ask(["fork", origin, "--at", "1", "--title", "Fork"]);
    expect(await carryon.call(["delete", origin, origin, "--yes"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Deleted session-00000000-000000-0001: 2 entries gone, 1 entry kept for its forks.
      ",
        "stdout": "",
      }
    `);
    expect(await carryon.call(["delete", "fork", "--yes"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "Deleted session-00000000-000000-0002-fork: 1 entry gone.
      ",
        "stdout": "",
      }
    `);
    expect(await titles(carryon)).toEqual([]);
  });

  it("asks on a terminal, and no is no", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const refused = await answer(carryon, false, ["delete", "one"]);
    const before = await titles(carryon);
    const agreed = await answer(carryon, true, ["delete", "one"]);
    expect({ refused, before, agreed: agreed.code, after: await titles(carryon) }).toEqual({
      refused: { code: 0, questions: ["Delete 1 session for good?"], lastWord: "Nothing was deleted." },
      before: ["one"],
      agreed: 0,
      after: [],
    });
  });
});

describe("clean", () => {
  it("leaves what changed in the last 30 days", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    expect(await carryon.call(["clean", "--yes"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "There is nothing to clean.\n",
    });
  });

  // Seed 3: 4.6, 5.7, 7.5, 9.6
  it("lists what is old, and deletes it only with consent, never what is pinned", async () => {
    await using carryon = await openCarryon();
    for (const each of ["old", "kept"]) await carryon.record(each);
    await carryon.ask(["tag", "kept", "pinned"]);
    const runs = [
      await carryon.call(["clean", "--older-than", "0s", "--dry-run"]),
      await carryon.call(["clean", "--older-than", "0s"]),
    ];
    expect(runs).toMatchInlineSnapshot(`
      [
        {
          "code": 0,
          "stderr": "1 session would be deleted.
      ",
          "stdout": "SESSION                       UPDATED   MSGS  STATUS  CLIENT          BRANCH  TITLE
      session-00000000-000000-0001  just now     1  ended   carryon-append  -       old
      ",
        },
        {
          "code": 2,
          "stderr": "carryon: There is no terminal to ask on. Nothing was deleted.
        Add --yes to answer beforehand.
      ",
          "stdout": "SESSION                       UPDATED   MSGS  STATUS  CLIENT          BRANCH  TITLE
      session-00000000-000000-0001  just now     1  ended   carryon-append  -       old
      ",
        },
      ]
    `);
    expect(await titles(carryon)).toEqual(["kept", "old"]);
    expect(await answer(carryon, true, ["clean", "--older-than", "0s"])).toMatchObject({
      code: 0,
      questions: ["Delete this session for good?"],
    });
    expect(await titles(carryon)).toEqual(["kept"]);
  });
});
