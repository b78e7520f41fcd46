import { describe, expect, it } from "vitest";
import { literalPattern } from "../../../src/redaction/text-pattern.ts";
import { sha256 } from "../../../src/sessions/chain.ts";
import { parseEntryId, parseSessionId } from "../../../src/sessions/ids.ts";
import { openStore, openStoreForReading } from "../../../src/storage/open-store.ts";
import { later, newFork } from "../../support/entries.ts";
import { fillStore, tamper } from "../../support/store-files.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { verifyAll } from "../../support/verify-all.ts";

const mismatch = "its content does not match its hash";
const unnoted = "its content was replaced, and no entry of the session says so";
const fourth = "key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 4)";
const third = "key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 3)";
const forged = JSON.stringify({ role: "user", parts: [{ type: "text", text: "forged" }] });

/** Fills a store and takes a word out of its third and fourth entry, which a fork shares. */
async function fillAndScrub(home: string): Promise<void> {
  await fillStore(home);
  await using store = await openStore(home);
  await store.scrubber.replace(literalPattern("fourth"), later(1));
  await store.scrubber.replace(literalPattern("long end"), later(1));
}

async function verifyBoth(home: string) {
  await using store = await openStoreForReading(home);
  const { one, two } = await verifyAll(store);
  return [one, two];
}

describe("verify, of a store in which bodies were scrubbed,", () => {
  it("finds them whole, and counts them", async () => {
    await using dir = await tempDir();
    await fillAndScrub(dir.path);
    const whole = { scrubbed: 2, problem: null };
    expect(await verifyBoth(dir.path)).toEqual([whole, whole]);
  });

  it.each([
    {
      sql: `UPDATE body SET json = replace(json, 'user', 'tool') WHERE ${fourth}`,
      entry: "a4",
      reason: mismatch,
    },
    { sql: `UPDATE body SET scrubbed_hash = zeroblob(32) WHERE ${fourth}`, entry: "a4", reason: mismatch },
    { sql: `UPDATE body SET scrubbed_hash = NULL WHERE ${fourth}`, entry: "a4", reason: mismatch },
    { sql: `UPDATE body SET hash = zeroblob(32) WHERE ${fourth}`, entry: "a4", reason: mismatch },
    { sql: `UPDATE body SET json = NULL WHERE ${fourth}`, entry: "a4", reason: "its body is missing" },
    {
      sql: `UPDATE body SET zstd = zeroblob(20) WHERE ${third}`,
      entry: "a3",
      reason: expect.stringMatching(/^its body cannot be decompressed/),
    },
    {
      sql: `UPDATE body SET json = '${forged}', scrubbed_hash = x'${sha256(forged)}' WHERE ${fourth}`,
      entry: "a4",
      reason: unnoted,
    },
    {
      sql: `UPDATE body SET json = '${forged}', scrubbed_hash = x'${sha256(forged)}'
            WHERE key = (SELECT body_key FROM entry WHERE session_key = 1 AND seq = 2)`,
      entry: "a2",
      reason: unnoted,
    },
  ])("names the entry after $sql", async ({ sql, entry, reason }) => {
    await using dir = await tempDir();
    await fillAndScrub(dir.path);
    expect(tamper(dir.path, sql)).toBe(1);
    const problem = { seq: Number(entry.slice(1)), entry, reason };
    expect(await verifyBoth(dir.path)).toEqual([
      { scrubbed: expect.any(Number), problem },
      { scrubbed: expect.any(Number), problem },
    ]);
  });

  it("says how far a session is whole before an entry that was replaced behind its back", async () => {
    await using dir = await tempDir();
    await fillStore(dir.path);
    await using store = await openStore(dir.path);
    const { head } = await store.log.fork({ ...newFork("upto"), at: parseEntryId("a3") });
    tamper(
      dir.path,
      `UPDATE body SET json = '${forged}', scrubbed_hash = x'${sha256(forged)}' WHERE ${fourth}`,
    );
    expect(await store.log.verify(parseSessionId("one"))).toEqual({
      ...{ session: "one", entries: 3, head, scrubbed: 1 },
      problem: { seq: 4, entry: "a4", reason: unnoted },
    });
  });
});
