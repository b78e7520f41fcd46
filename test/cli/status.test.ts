import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openCarryon } from "../support/run-carryon.ts";

describe("carryon alone", () => {
  it("says where you are and how to begin before anything is recorded", async () => {
    await using carryon = await openCarryon();
    expect(await carryon.run([])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Project  work
      Folder   <folder>/work
      Store    <folder>/home/store.db (not there yet)

      No session of this project is recorded yet.

      Next:
        carryon tour           see it work, in a scratch folder
        carryon init           record what Claude Code does here
        carryon chat           talk to a model
        carryon append --help  record a session of another tool
      ",
      }
    `);
  });

  it("shows branch and last sessions of this project, and what to do next", async () => {
    await using carryon = await openCarryon();
    execFileSync("git", ["init", "--quiet", "--initial-branch=trunk"], { cwd: join(carryon.folder, "work") });
    for (const each of ["one", "two", "three", "four", "five", "six"]) await carryon.record(each);
    expect(await carryon.call(["status"])).toMatchInlineSnapshot(`
      {
        "code": 0,
        "stderr": "",
        "stdout": "Open work:
        five (interrupted, just now)
          Go on with the interrupted request: "five"
          carryon show session-00000000-000000-0001
        four (interrupted, just now)
          Go on with the interrupted request: "four"
          carryon show session-00000000-000000-0002
        three (interrupted, just now)
          Go on with the interrupted request: "three"
          carryon show session-00000000-000000-0003
        \`carryon digest ID --done\` takes work off this list.

      Project  work on trunk
      Folder   <folder>/work
      Store    <folder>/home/store.db

      SESSION                       UPDATED   MSGS  STATUS  CLIENT          BRANCH  TITLE
      session-00000000-000000-0004  just now     1  ended   carryon-append  trunk   six
      session-00000000-000000-0001  just now     1  ended   carryon-append  trunk   five
      session-00000000-000000-0002  just now     1  ended   carryon-append  trunk   four
      session-00000000-000000-0003  just now     1  ended   carryon-append  trunk   three
      session-00000000-000000-0005  just now     1  ended   carryon-append  trunk   two

      Next:
        carryon show latest  read the newest session
        carryon sessions     list them all
        carryon fork latest  go on from it, leaving it as it is
      ",
      }
    `);
    const { sessions, ...status } = JSON.parse((await carryon.call(["--json"])).stdout);
    expect({ ...status, titles: sessions.map((session: { title: string }) => session.title) }).toEqual({
      project: { name: "work", root: "<folder>/work" },
      branch: "trunk",
      store: { path: "<folder>/home/store.db", exists: true },
      titles: ["six", "five", "four", "three", "two"],
      ...{
        workstreams: ["five", "four", "three"].map((goal) =>
          expect.objectContaining({ goal, status: "interrupted", command: null }),
        ),
        commit: null,
        work: null,
        origin: null,
        blocker: null,
        next_task: null,
        handover: null,
        waits_for_trust: [],
        not_recorded: null,
        deleted_elsewhere: [],
        gates: null,
      },
    });
  });

  it("points to other projects when this one has no sessions", async () => {
    await using carryon = await openCarryon();
    await carryon.record("one");
    const cwd = join(carryon.folder, "elsewhere");
    await mkdir(cwd);
    expect((await carryon.call([], { cwd })).stdout).toMatchInlineSnapshot(`
      "Project  elsewhere
      Folder   <folder>/elsewhere
      Store    <folder>/home/store.db

      No session of this project is recorded yet.

      Next:
        carryon sessions --all  list those of other projects
        carryon tour            see it work, in a scratch folder
        carryon init            record what Claude Code does here
        carryon chat            talk to a model
        carryon append --help   record a session of another tool
      "
    `);
  });
});
