import { expect, it } from "vitest";
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { later, newSession, said } from "../support/entries.ts";
import { findIds } from "../support/search-answers.ts";
import { one, openWithSession, type TestLog } from "./test-log.ts";

/** Texts of one run: a pattern that repeats a character millions of times overflows the stack. */
export const longRuns = ["x", "a/", " ", "é", "жЖ", "𝒳"];

/** An entry of a shape that nobody knows: of the name of its tool no words can be made. */
export function shapeless(id: string): NewEntry {
  const parts = [{ type: "tool-call", call: "c", name: 5, input: {} }];
  return { ...said(id, ""), parts } as unknown as NewEntry;
}

/** What every engine must do about messages of one long run. */
export async function expectLongRunsIndexed(open: () => Promise<TestLog>, size: number): Promise<void> {
  await using test = await openWithSession(open);
  await test.log.append(
    one,
    longRuns.map((unit, index) => said(`e${index}`, `before ${unit.repeat(size / unit.length)} after`)),
  );
  await test.log.append(one, [said("last", "needle")]);
  expect(await findIds(test, { query: "needle" })).toEqual(["last"]);
  expect(await findIds(test, { query: "before after" })).toEqual(longRuns.map((_, index) => `e${index}`));
  expect(await test.search.describe()).toMatchObject({
    documents: longRuns.length + 1,
    behind: 0,
    leftOut: [],
  });
}

/** What every engine must do about entries that are hard to index, or cannot be. */
export function hardToIndexContract(open: () => Promise<TestLog>): void {
  it("indexes messages of one long run of characters, and what stands beside it", () =>
    expectLongRunsIndexed(open, 100_000));

  it("leaves out an entry that cannot be indexed, names it, and indexes all others", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "needle one"), shapeless("b"), said("c", "needle two")]);
    expect(await findIds(test, { query: "needle" })).toEqual(["a", "c"]);
    expect(await findIds(test, { query: "role:user" })).toEqual(["a", "c"]);
    const report = { documents: 2, behind: 0, leftOut: [{ session: "one", seq: 2 }] };
    expect(await test.search.describe()).toMatchObject(report);
    expect(await test.search.rebuild()).toBe(3);
    expect(await test.search.describe()).toMatchObject(report);
  });

  it("scrubs and deletes sessions that have an entry which cannot be indexed", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "needle secretword"), shapeless("b")]);
    await test.search.catchUp();
    await test.scrubber.replace(literalPattern("secretword"), later(9));
    expect(await findIds(test, { query: "needle" })).toEqual(["a"]);
    await test.log.open(newSession("two", test.project), [said("c", "needle")]);
    await test.log.delete(one, later(10));
    expect(await findIds(test, { query: "needle" })).toEqual(["c"]);
    expect(await test.search.describe()).toMatchObject({ documents: 1, behind: 0, leftOut: [] });
  });
}
