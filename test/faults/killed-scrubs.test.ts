import { cp } from "node:fs/promises";
import { expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openStore, openStoreForReading } from "../../src/storage/open-store.ts";
import { later, newFork, newSession, said } from "../support/entries.ts";
import { filesWith } from "../support/files-with.ts";
import { countEvents, dieAtShare, startCounting } from "../support/kill-moments.ts";
import { tempDir } from "../support/temp-dir.ts";
import { verifyAll } from "../support/verify-all.ts";

const secret = 'zugspitze "watzmann"\ngipfel';
const one = parseSessionId("one");

/** Writes a secret into every second one of many entries, and forks their session. */
async function fill(home: string): Promise<void> {
  await using store = await openStore(home);
  const project = await store.projects.recognise({ identities: ["path:/x"], name: "x" });
  await store.log.open(newSession("one", project.id));
  for (let index = 0; index < 1200; index += 1) {
    const noise = `${index} `.repeat(index % 3 === 0 ? 3000 : 40 * (index % 7));
    await store.log.append(one, [said(`e${index}`, `${noise}${index % 2 === 0 ? secret : ""}${noise}`)]);
  }
  await store.log.fork(newFork("two"));
}

it("a scrub that was killed at any moment is finished by another one", async () => {
  await using dir = await tempDir();
  await fill(dir.path);
  await using twin = await tempDir();
  await cp(dir.path, twin.path, { recursive: true });
  const scrub = async (home: string, env: Readonly<Record<string, string>>) => {
    await using child = startCounting("store-scrub-child.ts", [home, secret], env);
    return await child.ended();
  };
  const events = await countEvents((env) => scrub(twin.path, env));
  for (let run = 1; run <= 6; run += 1) {
    expect(await scrub(dir.path, dieAtShare(events, run / 7))).toBe("SIGKILL");
    await using store = await openStoreForReading(dir.path);
    expect(Object.values(await verifyAll(store)).map(({ problem }) => problem)).toEqual([null, null]);
  }
  await using store = await openStore(dir.path);
  expect((await store.scrubber.replace(literalPattern(secret), later(9))).isWiped).toBe(true);
  expect(await filesWith(dir.path, [secret, JSON.stringify(secret).slice(1, -1)])).toEqual([]);
  expect(await verifyAll(store)).toEqual({
    one: { scrubbed: 600, problem: null },
    two: { scrubbed: 600, problem: null },
  });
});
