import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { strace } from "../support/strace.ts";
import { tempDir } from "../support/temp-dir.ts";

it("says of a file that the system does not let go, such as an immutable one, that it may not be removed", async () => {
  await using dir = await tempDir();
  const path = dir.join("save.md");
  await writeFile(path, "ours");
  const calls = ["?unlink", "?unlinkat"];
  const inject = calls.map((call) => `${call}:error=EPERM`);
  const run = await strace({ calls, paths: [path], inject }, "apply-removal-child.ts", path, "ours");
  expect([run.stdout, run.injected]).toEqual([`read-only: ${path} may not be removed.\n`, 1]);
  expect(await readFile(path, "utf8")).toBe("ours");
  const again = await strace({ calls, paths: [path] }, "apply-removal-child.ts", path, "ours");
  expect([again.stdout, again.exit]).toEqual(["done\n", 0]);
});
