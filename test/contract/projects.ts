import { expect, it } from "vitest";
import { newSession } from "../support/entries.ts";
import type { TestLog } from "./test-log.ts";

/** What every engine must do about projects. */
export function projectsContract(open: () => Promise<TestLog>): void {
  it("are known by any of their identities", async () => {
    await using test = await open();
    const first = await test.projects.recognise({ identities: ["root:1", "folder:/a"], name: "a" });
    const moved = await test.projects.recognise({ identities: ["root:1", "folder:/b"], name: "b" });
    expect(moved).toEqual(first);
    expect(await test.projects.known(["folder:/b"])).toEqual({ id: "root:1", name: "a" });
    expect(await test.projects.known(["folder:/c"])).toBeUndefined();
  });

  it("are found by each of several identities", async () => {
    await using test = await open();
    const a = await test.projects.recognise({ identities: ["root:e1", "folder:/ea"], name: "a" });
    const b = await test.projects.recognise({ identities: ["path:/eb"], name: "b" });
    expect(await test.projects.findEach(["path:/eb", "folder:/none", "folder:/ea", "root:e1"])).toEqual(
      new Map([
        ["path:/eb", b],
        ["folder:/ea", a],
        ["root:e1", a],
      ]),
    );
    expect(await test.projects.findEach([])).toEqual(new Map());
  });

  it("go by their name, their id, or else the name of the repository that they were cloned from", async () => {
    await using test = await open();
    const [shop, fork, other] = [
      await test.projects.recognise({ identities: ["root:c1", "remote:host/team/shop-c"], name: "my-clone" }),
      await test.projects.recognise({ identities: ["root:c2", "remote:host/me/shop-c"], name: "mine" }),
      await test.projects.recognise({ identities: ["root:c3", "remote:host/x/my-clone"], name: "other" }),
    ];
    const called = async (name: string) => (await test.projects.called(name)).map(({ id }) => id);
    expect(await called("my-clone")).toEqual([shop.id]);
    expect(await called("root:c3")).toEqual([other.id]);
    expect((await called("shop-c")).toSorted()).toEqual([shop.id, fork.id]);
    expect(await called("hop-c")).toEqual([]);
  });

  it("keep their sessions when they prove to be one", async () => {
    await using test = await open();
    const early = await test.projects.recognise({ identities: ["folder:/new"], name: "new" });
    await test.log.open(newSession("one", early.id));
    const strong = await test.projects.recognise({ identities: ["root:9", "folder:/old"], name: "old" });
    await test.log.open(newSession("two", strong.id));
    const merged = await test.projects.recognise({ identities: ["root:9", "folder:/new"], name: "new" });
    expect(merged).toEqual(strong);
    const { sessions } = await test.log.list({ project: strong.id });
    expect(sessions.map((session) => session.id).toSorted()).toEqual(["one", "two"]);
    expect((await test.projects.list()).map((project) => project.id)).not.toContain(early.id);
  });

  it("take a stronger identity once it is known", async () => {
    await using test = await open();
    const before = await test.projects.recognise({ identities: ["folder:/x"], name: "x" });
    await test.log.open(newSession("one", before.id));
    const after = await test.projects.recognise({ identities: ["root:7", "folder:/x"], name: "x" });
    expect(after).toEqual({ id: "root:7", name: "x" });
    expect((await test.log.list({ project: after.id })).sessions).toHaveLength(1);
  });

  it("stay two when their first commits differ, and the place goes to the newer one", async () => {
    await using test = await open();
    const old = await test.projects.recognise({
      identities: ["root:1", "remote:h/x", "folder:/x"],
      name: "old",
    });
    const sighting = { identities: ["root:2", "remote:h/x", "folder:/x"], name: "new" };
    expect(await test.projects.known(sighting.identities)).toBeUndefined();
    const fresh = await test.projects.recognise(sighting);
    expect([old.id, fresh.id]).toEqual(["root:1", "root:2"]);
    expect(await test.projects.known(["folder:/x"])).toEqual(fresh);
    expect(await test.projects.known(["root:1"])).toEqual(old);
  });

  it("keep their id when a second history is joined to the first", async () => {
    await using test = await open();
    const before = await test.projects.recognise({ identities: ["root:5", "folder:/x"], name: "x" });
    const joined = { identities: ["root:4", "root:5", "folder:/y"], name: "y" };
    expect(await test.projects.recognise(joined)).toEqual(before);
    expect(await test.projects.recognise(joined)).toEqual(before);
    expect(await test.projects.known(["root:4"])).toEqual(before);
  });

  it("are known again by a folder or remote that has a secret for a name, which is not stored", async () => {
    await using test = await open();
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const sighting = { identities: [`remote:h/${token}`, `folder:/${token}`], name: token };
    const first = await test.projects.recognise(sighting);
    await test.reopen();
    expect(await test.projects.known([`folder:/${token}`])).toEqual(first);
    expect(await test.projects.recognise(sighting)).toEqual(first);
    expect(await test.projects.known([`folder:/${token.replace("a1", "z9")}`])).toBeUndefined();
    expect(JSON.stringify(await test.projects.list())).not.toContain(token);
  });
}
