import { expect, it } from "vitest";
import { killWriters } from "../support/store-killing.ts";
import { tempDir } from "../support/temp-dir.ts";

it("keeps every acknowledged entry, once and in order, when its writers are killed at any moment", async () => {
  await using dir = await tempDir();
  const { kills, writing } = await killWriters(dir.join("home"), { kills: 28, atOnce: 4 });
  expect(kills).toBe(28);
  expect(writing).toBeGreaterThanOrEqual(14);
});
