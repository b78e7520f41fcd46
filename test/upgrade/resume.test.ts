import { glob, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { JsonObject } from "../../src/sessions/entry.ts";
import { openUpgradeFixture } from "../support/upgrade/open-upgrade-fixture.ts";

const titled = "11111111-1111-4111-8111-111111111111";

it("a session that 0.1.0 recorded and Claude Code deleted is written for it again, and nothing of it is recorded twice", async () => {
  await using old = await openUpgradeFixture("0.1.0");
  await old.ask(["sync"]);
  const known = await old.ask(["show", titled, "--json"]);
  const listed = await old.ask(["sessions", "--all", "--json"]);
  const pattern = join(old.folder, ".claude/projects/*", `${titled}.jsonl`);
  const [path = ""] = await Array.fromAsync(glob(pattern));
  const own = await readRows(path);
  await rm(path);
  await rm(path.replace(/\.jsonl$/, ""), { recursive: true, force: true });

  const { code, stdout, stderr } = await old.call(["resume", titled, "--print"]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(`claude --resume=${titled}\n$`)]);
  expect(stderr).toMatch(/ written from the store\. Kept: 2 prompts, 4 answers, 2 calls, 2 results\.\n$/);
  // In the folder where the repository is now.
  const [written = ""] = await Array.fromAsync(glob(pattern));
  expect(talkOf(await readRows(written))).toEqual(talkOf(own));

  for (let time = 0; time < 2; time += 1)
    expect(JSON.parse(await old.ask(["sync", "--json"]))).toMatchObject({
      ...{ sessions: 0, forks: 0, added: 0, revised: [], orphans: [], rejected: [], failed: [] },
    });
  expect(await old.ask(["show", titled, "--json"])).toBe(known);
  expect(await old.ask(["sessions", "--all", "--json"])).toBe(listed);
});

async function readRows(path: string): Promise<readonly JsonObject[]> {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** Returns what was said, without what only the client counts; that a result is no failure need not be said. */
function talkOf(rows: readonly JsonObject[]): readonly unknown[] {
  return rows
    .filter(({ type, isMeta }) => (type === "user" || type === "assistant") && isMeta !== true)
    .map(({ uuid, message }) => {
      const { role, content } = message as JsonObject;
      const told = JSON.stringify(content, (name, value) =>
        name === "is_error" ? value || undefined : value,
      );
      return { uuid, role, content: JSON.parse(told) };
    });
}
