import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTwoClones, type TwoClones } from "../support/two-clones.ts";

const lose = (object: string) => `others lose ${object} too, unless`;

async function record(machine: TwoClones["ada"], cwd: string, words: string): Promise<string> {
  const [line = ""] = (await machine.ask(cwd, ["append"], [{ role: "user", text: words }])).split("\n");
  return JSON.parse(line).session;
}

describe("deleting what others have", () => {
  it("says that they lose it too, where it was pushed and where it came to", async () => {
    await using two = await openTwoClones();
    const id = await record(two.ada, two.onAda, "make the form work");
    const before = await two.ada.call(two.onAda, ["clean", "--older-than", "0s", "--dry-run"]);
    expect(before.err).toBe("1 session would be deleted.\n");
    await two.toBen();
    const own = await record(two.ben, two.onBen, "write the docs");
    expect((await two.ben.call(two.onBen, ["delete", id, own, "--yes"])).err).toMatch(
      new RegExp(
        `^1 of them came from elsewhere: with the next push or sync ${lose("it")} it was begun or continued there.\nDeleted `,
      ),
    );
    expect((await two.ada.call(two.onAda, ["delete", id, "--yes"])).err).toMatch(
      `It is shared through ${two.ben.home}/store.db: with the next push or sync ${lose("it")} it was begun or continued there.\n`,
    );
  });

  it("says it before it asks, and lists what would go", async () => {
    await using two = await openTwoClones();
    await record(two.ada, two.onAda, "make the form work");
    await record(two.ada, two.onAda, "write the docs");
    await two.toBen();
    const refused = await two.ben.call(two.onBen, ["clean", "--older-than", "0s"]);
    expect([refused.code, refused.err]).toEqual([
      2,
      expect.stringContaining(
        `They came from elsewhere: with the next push or sync ${lose("them")} they were begun`,
      ),
    ]);
    expect(JSON.parse(await two.asBen("sessions", "--json")).sessions).toHaveLength(2);
  });

  it("says it of a project that sync shares, and of no other", async () => {
    await using two = await openTwoClones();
    const config = "remote:\n  url: postgres://ada:secret@db.example.com/team\n  projects: [shop]\n";
    await writeFile(join(two.ada.home, "config.yaml"), config, { mode: 0o600 });
    const shared = await record(two.ada, two.onAda, "make the form work");
    const other = await record(two.ada, two.ada.path(), "private");
    expect((await two.ada.call(two.onAda, ["delete", other, "--yes"])).err).not.toContain("others");
    const { err } = await two.ada.call(two.onAda, ["delete", shared, "--yes"]);
    expect(err).toMatch("It is shared through db.example.com:5432/team: with the next push or sync");
    expect(err).not.toContain("secret");
  });
});
