import { expect, it } from "vitest";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { collect, idsOf, newFork, newSession, said, start } from "../support/entries.ts";
import { one, openWithSession, type TestLog, two } from "./test-log.ts";

/** What every engine must do about deleting. */
export function deletingContract(open: () => Promise<TestLog>): void {
  it("hides the session for good and says how much is gone", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "1"), said("b", "2")]);
    expect(await test.log.delete(one, start)).toEqual({ session: "one", reclaimed: 2, shared: 0 });
    expect((await test.log.list()).sessions).toEqual([]);
    await expect(collect(test.log.read(one))).rejects.toMatchObject({ code: "session-not-found" });
    await expect(test.log.open(newSession("one", test.project))).rejects.toMatchObject({
      code: "session-conflict",
    });
  });

  it("keeps what forks share until the last of them is gone", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "1"), said("b", "2"), said("c", "3")]);
    await test.log.fork({ ...newFork("two"), at: parseEntryId("b") });
    await test.log.append(two, [said("x", "4")]);
    await test.log.fork(newFork("three", "two"));
    expect(await test.log.delete(one, start)).toEqual({ session: "one", reclaimed: 1, shared: 2 });
    expect(await test.log.delete(two, start)).toEqual({ session: "two", reclaimed: 0, shared: 1 });
    const three = parseSessionId("three");
    expect(idsOf(await collect(test.log.read(three)))).toEqual(["a", "b", "x"]);
    expect((await test.log.verify(three)).problem).toBeNull();
    expect(await test.log.delete(three, start)).toEqual({ session: "three", reclaimed: 3, shared: 0 });
  });

  it("leaves a body that another session also has", async () => {
    await using test = await openWithSession(open);
    await test.log.open(newSession("two", test.project));
    const text = "the same long text ".repeat(1000);
    await test.log.append(one, [said("a", text), said("b", text)]);
    await test.log.append(two, [said("a", text)]);
    await test.log.delete(one, start);
    expect(
      (await collect(test.log.read(two))).map((entry) => entry.kind === "message" && entry.parts),
    ).toEqual([[{ type: "text", text }]]);
  });

  it("leaves a session that has grown since it was looked at", async () => {
    await using test = await openWithSession(open);
    await test.log.append(one, [said("a", "1")]);
    const { head } = (await test.log.list({ id: one })).sessions[0] ?? { head: null };
    await test.log.append(one, [said("b", "2")]);
    await expect(test.log.delete(one, start, { ifHead: head })).rejects.toMatchObject({
      code: "session-changed",
    });
    expect(await collect(test.log.read(one))).toHaveLength(2);
    const now = (await test.log.list({ id: one })).sessions[0]?.head ?? null;
    expect(await test.log.delete(one, start, { ifHead: now })).toMatchObject({ reclaimed: 2 });
  });
}
