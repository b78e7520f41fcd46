import { expect, it } from "vitest";
import { newFork, said } from "../support/entries.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

/** What every engine must do about verifying. */
export function verifyingContract(open: () => Promise<TestLog>): void {
  it("finds the head that the session shows, for forks too", async () => {
    await using test = await openWithSession(open);
    expect(await test.log.verify(one)).toEqual({
      session: "one",
      entries: 0,
      head: null,
      scrubbed: 0,
      problem: null,
    });
    await test.log.append(one, [said("a", "1"), said("b", "2")]);
    await test.log.fork(newFork("two"));
    await test.log.append(two, [said("c", "3")]);
    for (const id of [one, two]) {
      const { sessions } = await test.log.list({ id });
      const { entries, head } = sessions[0] ?? {};
      expect(await test.log.verify(id)).toEqual({ session: id, entries, head, scrubbed: 0, problem: null });
    }
  });

  it("reports how far it is", async () => {
    await using test = await openWithSession(open);
    await test.log.append(
      one,
      Array.from({ length: 1100 }, (_, index) => said(`e${index}`, "x")),
    );
    const seen: number[] = [];
    await test.log.verify(one, (entries) => seen.push(entries));
    expect(seen).toEqual([500, 1000, 1100]);
  });
}
