import { expect, it } from "vitest";
import { killWriters } from "../support/store-killing.ts";
import { tempDir } from "../support/temp-dir.ts";

it("keeps every acknowledged entry, once and in order, when its writers are killed at any moment", async () => {
  await using dir = await tempDir();
  expect(await killWriters(dir.join("home"), { kills: 28, atOnce: 4 })).toMatchObject({ kills: 28 });
});
