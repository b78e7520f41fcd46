import { describe, expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { tagged, titled } from "../../src/sessions/session-events.ts";
import { backupStore } from "../../src/storage/maintenance.ts";
import { locateStore, openStore, openStoreForReading } from "../../src/storage/open-store.ts";
import { openForReading } from "../../src/storage/sqlite/open-connection.ts";

import { collect, later, newFork, newSession, said } from "../support/entries.ts";
import { filesWith } from "../support/files-with.ts";
import { tempDir } from "../support/temp-dir.ts";
import { verifyAll } from "../support/verify-all.ts";

const secret = 'zugspitze "watzmann"\ngipfel';
/** What the secret looks like in the files of a store. */
const spellings = [secret, JSON.stringify(secret).slice(1, -1), "zugspitze", "watzmann", "gipfel"];
const pattern = literalPattern(secret);
const one = parseSessionId("one");

/** Writes a secret into everything that a store can hold, among much else. */
async function fill(home: string, bodies = 40): Promise<void> {
  await using store = await openStore(home);
  const project = await store.projects.recognise({ identities: ["path:/x"], name: `name ${secret}` });
  const start = { title: `on ${secret}`, cwd: `/${secret}`, branch: secret };
  await store.log.open(newSession("one", project.id, start));
  for (let index = 0; index < bodies; index += 1) {
    const noise = `${index} `.repeat(index % 3 === 0 ? 3000 : 40 * (index % 7));
    await store.log.append(one, [said(`e${index}`, `${noise}${index % 2 === 0 ? secret : ""}${noise}`)]);
  }
  await store.log.append(one, [
    titled(parseEntryId("t"), later(1), secret),
    tagged(parseEntryId("g"), later(2), { add: ["zugspitze"] }),
  ]);
  await store.log.fork({ ...newFork("two"), title: secret });
  const body = JSON.stringify({ words: secret, more: "n".repeat(9000) });
  const digests = [one, parseSessionId("two")].map((session) => ({ session, version: 1, seq: 2, body }));
  await store.digests.keep(digests, (await store.digests.read([])).asOf);
}

/** Draws numbers below a limit, the same ones for the same seed. */
function makeDraw(seed: number): (below: number) => number {
  let state = seed * 7919;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % below;
  };
}

describe("after a scrub", () => {
  it("no byte of the store holds the secret, in any form, although others have it open", async () => {
    await using dir = await tempDir();
    await fill(dir.path);
    await using other = await openStoreForReading(dir.path);
    await collect(other.log.read(one));
    await using store = await openStore(dir.path);
    expect(await filesWith(dir.path, spellings)).not.toEqual([]);
    await store.scrubber.replace(literalPattern("zugspitze"), later(1));
    await store.scrubber.replace(literalPattern("watzmann"), later(1));
    expect((await store.scrubber.replace(literalPattern("gipfel"), later(1))).isWiped).toBe(true);
    expect(await filesWith(dir.path, spellings)).toEqual([]);
    await backupStore(dir.path, dir.join("copy.db"), { overwrite: false });
    expect(await filesWith(dir.path, spellings)).toEqual([]);
    const read = JSON.stringify([await collect(store.log.read(one)), (await store.log.list()).sessions]);
    expect(spellings.filter((each) => read.includes(each))).toEqual([]);
    expect(await verifyAll(store)).toMatchObject({ one: { problem: null }, two: { problem: null } });
  });

  it.each([2, 10, 12])("no stray copy is left in pages that were rearranged (%i)", async (seed) => {
    await using dir = await tempDir();
    await using store = await openStore(dir.path);
    const project = await store.projects.recognise({ identities: ["path:/x"], name: "x" });
    const draw = makeDraw(seed);
    const ids = Array.from({ length: 8 }, (_, index) => `s${index}`);
    for (const id of ids) await store.log.open(newSession(id, project.id));
    for (let index = 0; index < 300; index += 1) {
      const id = parseSessionId(`s${draw(8)}`);
      const [before, after] = ["n".repeat(draw(3000)), "m".repeat(draw(800))];
      const text = `${index}${before}${index % 3 === 0 ? "SECRETCANARY" : ""}${after}`;
      await store.log.append(id, [said(`e${index}`, text)]);
    }
    expect(await store.scrubber.replace(literalPattern("SECRETCANARY"), later(1))).toMatchObject({
      entries: 100,
      isWiped: true,
    });
    expect(await filesWith(dir.path, ["SECRETCANARY"])).toEqual([]);
  });

  it("it says so when somebody reads what is to go, and the next one finishes", async () => {
    await using dir = await tempDir();
    await fill(dir.path);
    await using store = await openStore(dir.path);
    const reader = await openForReading(locateStore(dir.path));
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM body").get();
    expect(await store.scrubber.replace(pattern, later(1))).toMatchObject({ entries: 21, isWiped: false });
    expect(await store.scrubber.find(pattern)).toMatchObject({ entries: 0, isUnfinished: true });
    reader.close();
    expect(await store.scrubber.replace(pattern, later(2))).toEqual({
      ...{ entries: 0, sessions: 0, projectNames: 0, damaged: [], isWiped: true },
    });
    expect(await filesWith(dir.path, spellings.slice(0, 2))).toEqual([]);
    expect((await store.scrubber.find(pattern)).isUnfinished).toBe(false);
  });
});
