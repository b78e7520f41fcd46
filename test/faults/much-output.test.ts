import { expect, it } from "vitest";
import { openTools } from "../support/open-tools.ts";
import { tempDir } from "../support/temp-dir.ts";

it("bash keeps little of an output in memory, however much there is", async () => {
  await using dir = await tempDir();
  const { run } = await openTools(dir.path);
  await run("bash", { command: "head -c 1000000 /dev/zero" });
  const before = process.memoryUsage().rss;
  const { output } = await run("bash", { command: "head -c 250000000 /dev/zero | tr '\\0' x; echo end" });
  expect(output.slice(-5)).toBe("xend\n");
  expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
});
