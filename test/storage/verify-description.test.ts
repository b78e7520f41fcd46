import { describe, expect, it } from "vitest";
import { literalPattern, regexPattern } from "../../src/redaction/text-pattern.ts";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { stopped, tagged, titled } from "../../src/sessions/session-events.ts";
import { openStore, type Store } from "../../src/storage/open-store.ts";
import { later, newFork, newSession, said } from "../support/entries.ts";
import { tamper } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";
import { verifyAll } from "../support/verify-all.ts";

const id = parseEntryId;
const one = parseSessionId("one");

/** Three sessions: `one` described by its entries, its fork `two`, and `three` by its start and first message. */
async function fillDescribed({ log, projects }: Store): Promise<void> {
  const project = await projects.recognise({ identities: ["path:/test"], name: "test" });
  await log.open(newSession("one", project.id, { title: "given" }));
  await log.append(one, [
    said("a", "opening words"),
    titled(id("t"), later(2), "Renamed"),
    tagged(id("g"), later(3), { add: ["kept", "gone"] }),
    tagged(id("h"), later(4), { remove: ["gone"] }),
  ]);
  await log.fork(newFork("two"));
  await log.append(parseSessionId("two"), [
    tagged(id("k"), later(5), { add: ["mine"] }),
    stopped(id("s"), later(6), "ended"),
  ]);
  await log.open(newSession("three", project.id));
  await log.append(parseSessionId("three"), [
    { id: id("x"), at: later(1), kind: "checkpoint", state: {} },
    said("y", "first words"),
    said("z", "second words"),
  ]);
}

const whole = { scrubbed: 0, problem: null };
const bad = (what: string) => ({
  scrubbed: 0,
  problem: {
    seq: 0,
    entry: null,
    reason: `the ${what} in the session's own record is not what its entries say`,
  },
});

describe("verify compares the record of a session with what its entries say", () => {
  it.each([
    { sql: "UPDATE session SET title = 'Forged' WHERE id = 'one'", found: { one: bad("title") } },
    { sql: "UPDATE session SET title = NULL, title_by = '' WHERE id = 'one'", found: { one: bad("title") } },
    { sql: "UPDATE session SET opening = 'forged' WHERE id = 'three'", found: { three: bad("title") } },
    {
      sql: "UPDATE session SET tag_facts = replace(tag_facts, 'kept', 'pinned') WHERE id = 'one'",
      found: { one: bad("tags") },
    },
    { sql: "UPDATE session SET tag_facts = '[]' WHERE id = 'two'", found: { two: bad("tags") } },
    {
      sql: "UPDATE session_head SET status = 'open' WHERE session_key = 2",
      found: { two: bad("status") },
    },
  ])("$sql", async ({ sql, found }) => {
    await using dir = await tempDir();
    {
      await using store = await openStore(dir.path);
      await fillDescribed(store);
      expect(await verifyAll(store)).toEqual({ one: whole, two: whole, three: whole });
    }
    expect(tamper(dir.path, sql)).toBe(1);
    await using store = await openStore(dir.path);
    expect(await verifyAll(store)).toEqual({ one: whole, two: whole, three: whole, ...found });
  });

  it("and takes the title that 0.1.0 made of a message that no person wrote for right", async () => {
    await using dir = await tempDir();
    {
      await using store = await openStore(dir.path);
      const project = await store.projects.recognise({ identities: ["path:/test"], name: "test" });
      await store.log.open(newSession("one", project.id));
      await store.log.append(one, [said("a", "/session:load"), said("b", "Raise the limit.")]);
      expect((await store.log.list({ id: one })).sessions[0]?.title).toBe("Raise the limit.");
    }
    expect(tamper(dir.path, "UPDATE session SET opening = '/session:load' WHERE id = 'one'")).toBe(1);
    await using store = await openStore(dir.path);
    expect(await verifyAll(store)).toEqual({ one: whole });
    await store.scrubber.replace(literalPattern("session:load"), later(9));
    expect((await store.log.list({ id: one })).sessions[0]?.title).not.toContain("load");
  });

  it.each([
    { what: "a title in an event", pattern: literalPattern("Renamed") },
    { what: "the opening words", pattern: literalPattern("words") },
    { what: "a tag", pattern: literalPattern("kept") },
    { what: "a title that only the record ends like this", pattern: regexPattern("Renamed$") },
  ])("and finds it right after a scrub of $what", async ({ pattern }) => {
    await using dir = await tempDir();
    await using store = await openStore(dir.path);
    await fillDescribed(store);
    await store.scrubber.replace(pattern, later(9));
    const problems = Object.values(await verifyAll(store)).map(({ problem }) => problem);
    expect(problems).toEqual([null, null, null]);
  });
});
