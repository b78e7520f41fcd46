import { expect, it } from "vitest";
import { inspectStore } from "../../src/storage/maintenance.ts";
import { schemaVersion } from "../../src/storage/migrate.ts";
import { readContent, sayIn } from "../support/store-content.ts";
import { fillStore, writeFirstVersion } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";

it("opens a store of the first version with everything that was written, and goes on with it", async () => {
  await using dir = await tempDir();
  await writeFirstVersion(dir.join("old"));
  await fillStore(dir.join("new"));
  expect(await readContent(dir.join("old"))).toEqual(await readContent(dir.join("new")));
  for (const home of [dir.join("old"), dir.join("new")]) await sayIn(home, "one", "a7", "after that");
  expect(await readContent(dir.join("old"))).toEqual(await readContent(dir.join("new")));
  expect(await inspectStore(dir.join("old"))).toMatchObject({ schema: schemaVersion, problems: [] });
});
