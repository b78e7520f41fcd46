import { readFile, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Verification } from "../../src/sessions/conversation-log.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { locateStore, openStore, openStoreForReading } from "../../src/storage/open-store.ts";
import { collect, said } from "../support/entries.ts";
import { fillStore, flipBit, tamper } from "../support/store-files.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Verifies both sessions of `fillStore`: `one` with a1 to a6, and `two`, which shares a1 to a4 and has b1 and b2. */
async function verifyBoth(home: string): Promise<readonly Verification["problem"][]> {
  await using store = await openStoreForReading(home);
  const verify = async (id: string) => (await store.log.verify(parseSessionId(id))).problem;
  return [await verify("one"), await verify("two")];
}

const mismatch = "its content does not match its hash";
const notTheHead = "the session's own record of its last entry does not match the chain";
const notTheBase = "its hash is not the one that the fork two continues from";
const a4 = (reason: string) => ({ seq: 4, entry: "a4", reason });
const a6 = (reason: string) => ({ seq: 6, entry: "a6", reason });
const gone = { seq: 4, entry: null, reason: "it is missing" };
const damaged = { seq: 1, entry: null, reason: "The record of session two is damaged." };

/** The statement, and what is wrong with `one` and `two` after it. */
interface Tampering {
  readonly sql: string;
  readonly one: Verification["problem"];
  readonly two: Verification["problem"];
}

const fourth = "WHERE session_key = 1 AND seq = 4";
const both = (sql: string, problem: Verification["problem"]): Tampering => ({
  sql,
  one: problem,
  two: problem,
});
const onlyOne = (sql: string, one: Verification["problem"]): Tampering => ({ sql, one, two: null });
const onlyTwo = (sql: string, two: Verification["problem"]): Tampering => ({ sql, one: null, two });

describe("verify names the first entry that is not as it was written", () => {
  const entries: readonly Tampering[] = [
    both(`UPDATE entry SET id = 'a9' ${fourth}`, { seq: 4, entry: "a9", reason: mismatch }),
    both(`UPDATE entry SET id = x'6134' ${fourth}`, { seq: 4, entry: "97,52", reason: mismatch }),
    both(`UPDATE entry SET parent = 'a2' ${fourth}`, a4(mismatch)),
    both(`UPDATE entry SET parent = NULL ${fourth}`, a4(mismatch)),
    both(`UPDATE entry SET strand = 'worker' ${fourth}`, a4(mismatch)),
    both(`UPDATE entry SET kind = 'event' ${fourth}`, a4(mismatch)),
    both(`UPDATE entry SET at_ms = at_ms + 1 ${fourth}`, a4(mismatch)),
    both(`UPDATE entry SET at_ms = 9007199254740993 ${fourth}`, {
      seq: 4,
      entry: null,
      reason: expect.stringContaining("too large"),
    }),
    both(`UPDATE entry SET messages = messages + 1 ${fourth}`, a4("its count of messages is wrong")),
    both(`UPDATE entry SET hash = zeroblob(32) ${fourth}`, a4(mismatch)),
    both(`UPDATE entry SET hash = substr(hash, 1, 31) ${fourth}`, a4(mismatch)),
    both(
      `UPDATE entry SET body_key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 1) ${fourth}`,
      a4(mismatch),
    ),
    both(`UPDATE entry SET body_key = 99 ${fourth}`, a4("its body is missing")),
    both(`UPDATE entry SET seq = 40 ${fourth}`, gone),
    both(`UPDATE entry SET session_key = 2 ${fourth}`, gone),
    both(`DELETE FROM entry ${fourth}`, gone),
    onlyOne("DELETE FROM entry WHERE session_key = 1 AND seq = 6", {
      seq: 6,
      entry: null,
      reason: "it is missing",
    }),
    onlyTwo("DELETE FROM entry WHERE session_key = 2", { seq: 5, entry: null, reason: "it is missing" }),
  ];
  const bodies: readonly Tampering[] = [
    both(
      "UPDATE body SET json = replace(json, 'fourth', 'forth') WHERE key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 4)",
      a4(mismatch),
    ),
    both(
      "UPDATE body SET json = NULL WHERE key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 4)",
      a4("its body is missing"),
    ),
    both(
      "DELETE FROM body WHERE key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 4)",
      a4("its body is missing"),
    ),
    both(
      "UPDATE body SET json = (SELECT json FROM body b WHERE b.key <> body.key AND b.key IN ((SELECT body_key FROM entry WHERE session_key = 1 AND seq = 1), (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 4))) WHERE key IN ((SELECT body_key FROM entry WHERE session_key = 1 AND seq = 1), (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 4))",
      {
        seq: 1,
        entry: "a1",
        reason: mismatch,
      },
    ),
    both(
      "UPDATE body SET zstd = substr(zstd, 1, length(zstd) - 5) WHERE key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 3)",
      {
        seq: 3,
        entry: "a3",
        // Older Nodes decompress what there is without a word.
        reason: expect.stringMatching(/^its (body cannot be decompressed|content does not match its hash)/),
      },
    ),
    both(
      "UPDATE body SET zstd = zeroblob(20) WHERE key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 3)",
      {
        seq: 3,
        entry: "a3",
        reason: expect.stringMatching(/^its body cannot be decompressed/),
      },
    ),
  ];
  const sessions: readonly Tampering[] = [
    onlyOne("UPDATE session_head SET head_hash = zeroblob(32) WHERE session_key = 1", a6(notTheHead)),
    onlyOne("UPDATE session_head SET head_seq = 5 WHERE session_key = 1", {
      seq: 5,
      entry: "a5",
      reason: notTheHead,
    }),
    onlyOne("UPDATE session_head SET head_seq = 7 WHERE session_key = 1", {
      seq: 7,
      entry: null,
      reason: "it is missing",
    }),
    onlyOne("UPDATE session_head SET messages = 5 WHERE session_key = 1", a6(notTheHead)),
    onlyOne("UPDATE session_head SET leaf = 'a5' WHERE session_key = 1", a6(notTheHead)),
    onlyOne("UPDATE session_head SET leaf_strand = 'worker' WHERE session_key = 1", a6(notTheHead)),
    onlyTwo("UPDATE session SET base_hash = zeroblob(32) WHERE key = 2", {
      seq: 4,
      entry: null,
      reason: notTheBase,
    }),
    onlyTwo("UPDATE session SET base_hash = NULL WHERE key = 2", { seq: 4, entry: null, reason: notTheBase }),
    onlyTwo("UPDATE session SET forked_from_entry = 'a3' WHERE key = 2", {
      seq: 4,
      entry: "a4",
      reason: "it is not the one at which the session says it was forked",
    }),
    onlyTwo("UPDATE session SET base_seq = 3 WHERE key = 2", {
      seq: 3,
      entry: "a3",
      reason: "it is not the one at which the session says it was forked",
    }),
    ...[5, 6].map((seq) =>
      onlyTwo(`UPDATE session SET base_seq = ${seq} WHERE key = 2`, {
        seq: 5,
        entry: null,
        reason: "the session was forked before it",
      }),
    ),
    onlyTwo("UPDATE session SET base_seq = 68 WHERE key = 2", damaged),
    onlyTwo("UPDATE session_head SET head_seq = 2 WHERE session_key = 2", damaged),
    onlyTwo("UPDATE session SET base_key = 2 WHERE key = 2", damaged),
    onlyTwo("UPDATE session SET base_key = 99 WHERE key = 2", damaged),
    onlyTwo("UPDATE session SET base_key = NULL WHERE key = 2", damaged),
  ];

  it.each([...entries, ...bodies, ...sessions])("$sql", async ({ sql, one, two }) => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    expect(await verifyBoth(dir.path)).toEqual([null, null]);
    expect(tamper(dir.path, sql)).toBeGreaterThan(0);
    expect(await verifyBoth(dir.path)).toEqual([one, two]);
  });

  it("in the middle of a long session, where rows are read many at a time", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    {
      await using store = await openStore(dir.path);
      const more = Array.from({ length: 700 }, (_, index) => said(`c${index}`, `text ${index}`));
      await store.log.append(parseSessionId("one"), more);
    }
    tamper(dir.path, "UPDATE entry SET at_ms = 9007199254740993 WHERE session_key = 1 AND seq = 700");
    expect((await verifyBoth(dir.path))[0]).toMatchObject({ seq: 700 });
    tamper(dir.path, "UPDATE entry SET at_ms = 5 WHERE session_key = 1 AND seq = 600");
    expect((await verifyBoth(dir.path))[0]).toMatchObject({ seq: 600, reason: mismatch });
  });
});

it("notices an index that leads from the id of a session to another session", async () => {
  await using dir = await tempDir();
  await fillStore(dir.path);
  const path = locateStore(dir.path);
  const bytes = await readFile(path);
  // The record of `two` in the index of ids: its key is a byte; turned into the type that means 1, it is that of `one`.
  const at = bytes.indexOf(Buffer.from("\x03\x13\x01two\x02", "latin1"));
  bytes[at + 2] = 9;
  await writeFile(path, bytes);
  const [, two] = await verifyBoth(dir.path);
  expect(two).toEqual({ seq: 0, entry: null, reason: "The record of session two is damaged." });
});

const bodyNumber = (number: number) =>
  `key = (SELECT key FROM body ORDER BY key LIMIT 1 OFFSET ${number - 1})`;

async function readOne(home: string): Promise<readonly Entry[]> {
  await using store = await openStore(home);
  return await collect(store.log.read(parseSessionId("one")));
}

it("notices any single bit that is turned in what an entry says or in its hash", async () => {
  await using dir = await tempDir();
  await fillStore(dir.path);
  const original = await readOne(dir.path);
  const places = [
    ...[1, 2, 4, 5, 6, 7].map((number) => ["json", "body", bodyNumber(number)] as const),
    ["zstd", "body", bodyNumber(3)] as const,
    ...[1, 2, 3, 4, 5, 6].map((seq) => ["hash", "entry", `session_key = 1 AND seq = ${seq}`] as const),
  ];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), fc.nat(), async (place, bit) => {
      flipBit(dir.path, place, bit);
      const isNoticed = (await verifyBoth(dir.path)).some((problem) => problem !== null);
      // A few bits of a compressed body mean nothing: the text that comes out is the same, or else it is noticed.
      if (place[0] === "zstd" && !isNoticed) expect(await readOne(dir.path)).toEqual(original);
      else expect(isNoticed).toBe(true);
      flipBit(dir.path, place, bit);
      expect(await verifyBoth(dir.path)).toEqual([null, null]);
    }),
    { numRuns: 60 },
  );
});
