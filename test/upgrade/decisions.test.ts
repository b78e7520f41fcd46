import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openUpgradeFixture } from "../support/upgrade/open-upgrade-fixture.ts";

it("in a home that 0.1.0 made, a start examines decisions.md, and later ones see what has changed since", async () => {
  await using old = await openUpgradeFixture("0.1.0");
  const begin = async (session: string) => (await old.call(["brief", "--session", session])).stdout;
  for (const session of ["first", "second"]) expect(await begin(session)).not.toContain("decisions.md:");
  const path = join(old.work, "docs", "sdd", "handover", "decisions.md");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("Lamps before candles", "Lamps before kettles"));
  expect(await begin("third")).toContain("says something else than was written here");
});
