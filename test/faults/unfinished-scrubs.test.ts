import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { locateStore } from "../../src/storage/open-store.ts";
import { openForReading } from "../../src/storage/sqlite/open-connection.ts";
import { filesWith } from "../support/files-with.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const home = (carryon: Carryon) => join(carryon.folder, "home");

/** Scrubs while somebody reads the store, so that its files cannot be rewritten. */
async function scrubBesideReader(carryon: Carryon, ...args: readonly string[]) {
  await carryon.record("tell them hunter22");
  const reader = await openForReading(locateStore(home(carryon)));
  reader.exec("BEGIN");
  reader.prepare("SELECT count(*) FROM body").get();
  const run = await carryon.call(["scrub", "hunter22", "--yes", ...args]);
  reader.close();
  return run;
}

describe("a scrub that cannot rewrite the files of the store", () => {
  it("says so, and the next one finishes it without asking", async () => {
    await using carryon = await openCarryon();
    const first = await scrubBesideReader(carryon);
    expect([first, await carryon.run(["scrub", "hunter22"])]).toMatchInlineSnapshot(`
      [
        {
          "code": 75,
          "stderr": "Scrubbed 1 entry of 1 session.
      Backups from before, replicas, and the files of a database server may still hold it.
      Change the secret: whoever could read the store may have it, and a short one can be guessed from the hashes that stay.
      carryon: The files of the store may still hold it: something reads them, or this user may not rewrite them.
        Run the same command again to finish.
      ",
          "stdout": "SESSION                       ENTRIES  ALSO IN
      session-00000000-000000-0001        1  title
      ",
        },
        {
          "code": 0,
          "stderr": "Nothing was found. An earlier scrub has been finished.
      Backups from before, replicas, and the files of a database server may still hold it.
      Change the secret: whoever could read the store may have it, and a short one can be guessed from the hashes that stay.
      ",
          "stdout": "",
        },
      ]
    `);
    expect(await filesWith(home(carryon), ["hunter22"])).toEqual([]);
  });

  it("says so in JSON, with the exit code of what is to be tried again", async () => {
    await using carryon = await openCarryon();
    const { code, stdout, stderr } = await scrubBesideReader(carryon, "--json");
    expect({ code, answer: JSON.parse(stdout), error: JSON.parse(stderr) }).toMatchObject({
      code: 75,
      answer: { entries: 1, unfinished: true, replaced: { entries: 1, wiped: false } },
      error: { error: { code: "wipe-unfinished" } },
    });
  });

  it("is told by doctor and by scrub --dry-run until it is finished", async () => {
    await using carryon = await openCarryon();
    await scrubBesideReader(carryon);
    const doctor = await carryon.call(["doctor", "--json"]);
    const what = "A scrub is not finished: the files of the store may still hold what it took out.";
    const hint =
      "Run the same `carryon scrub` again when nothing else reads the store, on PostgreSQL as the owner of its tables.";
    expect({ code: doctor.code, problems: JSON.parse(doctor.stdout).problems }).toEqual({
      code: 74,
      problems: [{ what, hint }],
    });
    expect(await carryon.call(["scrub", "hunter22", "--dry-run"])).toEqual({
      code: 0,
      stdout: "",
      stderr: `Nothing was found.\n${what}\n`,
    });
    expect(JSON.parse(await carryon.ask(["scrub", "hunter22", "--dry-run", "--json"]))).toMatchObject({
      unfinished: true,
      replaced: null,
    });
    expect(await carryon.call(["scrub", "hunter22"])).toMatchObject({ code: 0 });
    expect(await carryon.call(["doctor"])).toMatchObject({ code: 0 });
  });
});
