import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { tamper } from "../support/store-files.ts";

/** Returns the titles that a list answers. */
async function titles(carryon: Carryon, ...args: readonly string[]): Promise<readonly string[]> {
  const page = JSON.parse(await carryon.ask(["sessions", "--json", ...args]));
  return page.sessions.map((session: { title: string }) => session.title);
}

describe("sessions", () => {
  it("is empty and says how to begin before anything is recorded", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.call(["sessions"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "No sessions. \`carryon init\` records Claude Code from now on, \`carryon import claude-code\` takes in what it has kept, \`carryon chat\` talks to a model, \`carryon append\` records any tool.
      \`carryon sessions --all\` lists those of all projects, \`carryon relink OLD_PATH\` brings them here if this folder has moved.
      ",
        "stdout": "",
      }
    `);
    expect(JSON.parse(await carryon.ask(["sessions", "--json"]))).toEqual({
      sessions: [],
      damaged: [],
      next: null,
    });
  });

  // Seed 3: 6.3
  it("lists the sessions of this project, newest first, with whole ids in a pipe", async () => {
    await using carryon = await openCarryon();
    await carryon.record("First thing", "and more");
    await carryon.ask(["append", "--title", "Second: a thing"], [{ role: "user", text: "x" }]);
    expect(await carryon.call(["sessions", "list"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "SESSION                                      UPDATED   MSGS  STATUS  CLIENT          BRANCH  TITLE
      session-00000000-000000-0001-second-a-thing  just now     1  ended   carryon-append  -       Second: a thing
      session-00000000-000000-0002                 just now     2  ended   carryon-append  -       First thing
      ",
      }
    `);
    expect(
      JSON.parse((await carryon.call(["sessions", "--json", "--limit", "1"])).stdout),
    ).toMatchInlineSnapshot(`
      {
        "damaged": [],
        "next": "<cursor>",
        "sessions": [
          {
            "branch": null,
            "client": "carryon-append",
            "clientSessionId": null,
            "cwd": "<folder>/work",
            "endedAt": "<time>",
            "entries": 2,
            "forkedFrom": null,
            "head": "<hash>",
            "id": "session-00000000-000000-0001-second-a-thing",
            "machine": "<machine>",
            "messages": 1,
            "project": "path:<folder>/work",
            "projectName": "work",
            "startedAt": "<time>",
            "status": "ended",
            "tags": [],
            "title": "Second: a thing",
            "updatedAt": "<time>",
            "writer": null,
          },
        ],
      }
    `);
  });

  it("filters by client, branch, tag and time, and pages with a cursor", async () => {
    await using carryon = await openCarryon();
    for (const each of ["one", "two", "three"]) await carryon.record(each);
    await carryon.ask(["tag", "one", "keep"]);
    const { next } = JSON.parse(await carryon.ask(["sessions", "--json", "--limit", "2"]));
    expect({
      tag: await titles(carryon, "--tag", "keep"),
      branch: await titles(carryon, "--branch", "main"),
      client: await titles(carryon, "--client", "codex"),
      recent: await titles(carryon, "--since", "1h", "--client", "carryon-append"),
      firstPage: await titles(carryon, "--limit", "2"),
      secondPage: await titles(carryon, "--limit", "2", "--cursor", next),
    }).toEqual({
      tag: ["one"],
      branch: [],
      client: [],
      recent: ["one", "three", "two"],
      firstPage: ["one", "three"],
      secondPage: ["two"],
    });
  });

  it("looks at another project only when it is told", async () => {
    await using carryon = await openCarryon();
    await carryon.record("here");
    const cwd = join(carryon.folder, "elsewhere");
    await mkdir(cwd);
    const list = async (...args: string[]) => {
      const { code, stdout, stderr } = await carryon.call(["sessions", ...args], { cwd });
      return { code, lines: stdout.split("\n").length - 1, stderr };
    };
    expect({
      own: await list(),
      all: await list("--all"),
      named: await list("--project", "work"),
      mistyped: await list("--project", "wrok"),
    }).toMatchInlineSnapshot(`
      {
        "all": {
          "code": 0,
          "lines": 2,
          "stderr": "",
        },
        "mistyped": {
          "code": 2,
          "lines": 0,
          "stderr": "carryon: There is no project "wrok" in this store.
        Did you mean work?
      ",
        },
        "named": {
          "code": 0,
          "lines": 2,
          "stderr": "",
        },
        "own": {
          "code": 0,
          "lines": 0,
          "stderr": "No sessions. \`carryon init\` records Claude Code from now on, \`carryon import claude-code\` takes in what it has kept, \`carryon chat\` talks to a model, \`carryon append\` records any tool.
      \`carryon sessions --all\` lists those of all projects, \`carryon relink OLD_PATH\` brings them here if this folder has moved.
      ",
        },
      }
    `);
  });
});

describe("a store in which the record of a session is damaged", () => {
  it("lists the other sessions, names the damaged one, and fails its verification", async () => {
    await using carryon = await openCarryon();
    const [bad, good] = [await carryon.record("one"), await carryon.record("two")];
    tamper(join(carryon.folder, "home"), "UPDATE session SET tag_facts = '[' WHERE id = ?", bad);
    expect(await carryon.call(["sessions"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("two"),
      stderr:
        "Session session-00000000-000000-0002 cannot be read: its record is damaged. See `carryon doctor`.\n",
    });
    expect(JSON.parse(await carryon.ask(["sessions", "--json"]))).toMatchObject({
      sessions: [{ id: good }],
      damaged: [bad],
    });
    expect(await carryon.call(["verify"])).toMatchObject({
      code: 74,
      stdout: expect.stringContaining(
        "BAD  session-00000000-000000-0002  The record of session session-00000000-000000-0002 is damaged.",
      ),
    });
    expect(await carryon.call(["show", bad])).toMatchObject({ code: 74 });
  });
});
