import { expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import type { KeptDigest } from "../../src/sessions/digest-store.ts";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { bring } from "../support/bring.ts";
import { later, newFork, newSession, said } from "../support/entries.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

const three = parseSessionId("three");

/** A digest of the first entries of a session. */
function digestOf(session: string, seq: number, more: Partial<KeptDigest> = {}): KeptDigest {
  return { session: parseSessionId(session), version: 1, seq, body: `{"upTo":${seq}}`, ...more };
}

/** Keeps digests as somebody does who has just read everything. */
async function keepNow({ digests }: TestLog, ...kept: readonly KeptDigest[]): Promise<void> {
  await digests.keep(kept, (await digests.read([])).asOf);
}

/** Returns what is kept of the sessions `one`, `two` and `three`, in this order. */
async function readKept({ digests }: TestLog): Promise<readonly KeptDigest[]> {
  const kept = (await digests.read([one, two, three])).digests;
  return kept.toSorted((a, b) => a.session.length - b.session.length || (a.session < b.session ? -1 : 1));
}

/** Opens `one` with a secret in its first entry, `two`, which shares that entry, and `three`, which has nothing of it. */
async function openFamily(open: () => Promise<TestLog>): Promise<TestLog> {
  const test = await openWithSession(open);
  await test.log.append(one, [said("a", "the word is hunter22"), said("b", "fine")]);
  await test.log.fork(newFork("two"));
  await test.log.open(newSession("three", test.project), [said("c", "other")]);
  return test;
}

/** What every engine must do about digests. */
export function digestStoreContract(open: () => Promise<TestLog>): void {
  it("returns what was kept of the sessions that are asked for, however many", async () => {
    await using test = await openFamily(open);
    const text = JSON.stringify({ words: "\0 \ud800 日本語 'quoted' \\" });
    await keepNow(test, digestOf("one", 2, { body: text }), digestOf("three", 1));
    await test.reopen();
    expect(await readKept(test)).toEqual([digestOf("one", 2, { body: text }), digestOf("three", 1)]);
    const others = Array.from({ length: 450 }, (_, index) => parseSessionId(`other-${index}`));
    expect((await test.digests.read([...others, three])).digests).toEqual([digestOf("three", 1)]);
    expect((await test.digests.read([])).digests).toEqual([]);
  });

  it("keeps the digest of the newest rules that covers most", async () => {
    await using test = await openWithSession(open);
    await keepNow(test, digestOf("one", 5));
    await keepNow(test, digestOf("one", 4));
    expect(await readKept(test)).toEqual([digestOf("one", 5)]);
    await keepNow(test, digestOf("one", 5, { body: '"damaged before"' }));
    expect(await readKept(test)).toEqual([digestOf("one", 5, { body: '"damaged before"' })]);
    await keepNow(test, digestOf("one", 3, { version: 2 }));
    await keepNow(test, digestOf("one", 9));
    expect(await readKept(test)).toEqual([digestOf("one", 3, { version: 2 })]);
    const { asOf } = await test.digests.read([]);
    const seqs = Array.from({ length: 20 }, (_, index) => (index * 7) % 20);
    await Promise.all(seqs.map((seq) => test.digests.keep([digestOf("one", seq, { version: 2 })], asOf)));
    expect(await readKept(test)).toEqual([digestOf("one", 19, { version: 2 })]);
  });

  it("forgets the digest of a deleted session, and keeps none of it again", async () => {
    await using test = await openFamily(open);
    await keepNow(test, digestOf("one", 2), digestOf("three", 1));
    await test.log.delete(three, later(5));
    await keepNow(test, digestOf("three", 1), digestOf("never-there", 1));
    expect(await readKept(test)).toEqual([digestOf("one", 2)]);
  });

  it("forgets what a scrub takes out, in the session and its forks, and leaves the rest", async () => {
    await using test = await openFamily(open);
    await test.log.fork(newFork("four", "two"));
    const kept = ["one", "two", "three", "four"].map((id) => digestOf(id, 1, { body: '"hunter22"' }));
    await keepNow(test, ...kept);
    await test.scrubber.replace(literalPattern("no such word"), later(5));
    expect((await test.digests.read(kept.map(({ session }) => session))).digests).toHaveLength(4);
    await test.scrubber.replace(literalPattern("hunter22"), later(6));
    const left = await test.digests.read(kept.map(({ session }) => session));
    expect(left.digests.map(({ session }) => session)).toEqual(["three"]);
  });

  it.each([
    { where: "title", more: { title: "about hunter22" } },
    { where: "folder", more: { cwd: "/home/hunter22" } },
    { where: "branch", more: { branch: "fix/hunter22" } },
  ])("forgets the digest of a session whose $where is scrubbed", async ({ more }) => {
    await using test = await openWithSession(open);
    await test.log.open(newSession("two", test.project, more));
    await keepNow(test, digestOf("one", 0), digestOf("two", 0));
    await test.scrubber.replace(literalPattern("hunter22"), later(5));
    expect(await readKept(test)).toEqual([digestOf("one", 0)]);
  });

  it("forgets the digests of a project whose name is scrubbed", async () => {
    await using test = await openWithSession(open);
    const named = await test.projects.recognise({ identities: ["path:/named"], name: "hunter22" });
    await test.log.open(newSession("two", named.id));
    await keepNow(test, digestOf("one", 0), digestOf("two", 0));
    await test.scrubber.replace(literalPattern("hunter22"), later(5));
    expect(await readKept(test)).toEqual([digestOf("one", 0)]);
  });

  it("forgets what was scrubbed in another store, when that is pulled", async () => {
    await using test = await openFamily(open);
    await using other = await open();
    await bring(test, other);
    await keepNow(test, digestOf("one", 2), digestOf("two", 2), digestOf("three", 1));
    await bring(other, test);
    expect(await readKept(test)).toHaveLength(3);
    await other.scrubber.replace(literalPattern("hunter22"), later(5));
    await bring(other, test);
    expect(await readKept(test)).toEqual([digestOf("three", 1)]);
  });

  it("forgets a session that was deleted in another store, when that is pulled", async () => {
    await using other = await openFamily(open);
    await using test = await open();
    await bring(other, test);
    await keepNow(test, digestOf("one", 2), digestOf("three", 1));
    await other.log.delete(three, later(5));
    await bring(other, test);
    expect(await readKept(test)).toEqual([digestOf("one", 2)]);
  });

  it("keeps nothing that was read before text was taken out", async () => {
    await using test = await openFamily(open);
    const { asOf } = await test.digests.read([one]);
    await test.scrubber.replace(literalPattern("hunter22"), later(5));
    await test.digests.keep([digestOf("one", 2), digestOf("three", 1)], asOf);
    expect(await readKept(test)).toEqual([]);
    await keepNow(test, digestOf("one", 2));
    expect(await readKept(test)).toEqual([digestOf("one", 2)]);
  });

  it("keeps nothing of what is taken out, whoever is first", async () => {
    await using test = await openFamily(open);
    const { asOf } = await test.digests.read([]);
    const keeping = Array.from({ length: 30 }, (_, index) =>
      test.digests.keep([digestOf("one", index), digestOf("two", index)], asOf),
    );
    await Promise.all([...keeping, test.scrubber.replace(literalPattern("hunter22"), later(5))]);
    expect(await readKept(test)).toEqual([]);
  });

  it("can be emptied, which also counts for what was read before", async () => {
    await using test = await openFamily(open);
    await keepNow(test, digestOf("one", 2));
    const { asOf } = await test.digests.read([]);
    await test.digests.clear();
    await test.digests.keep([digestOf("one", 2)], asOf);
    expect(await readKept(test)).toEqual([]);
  });
}
