import { describe, expect, it } from "vitest";
import { openTestHandover } from "../../support/project-handover.ts";

describe("two sessions at once", () => {
  it("each go on from their own draft, while session.md is the newest", async () => {
    await using test = await openTestHandover();
    await test.handover.draft({ session: "one", done: ["a"], next: "go on with one" });
    await test.handover.draft({ session: "two", done: ["b"], next: "go on with two" });
    await test.handover.draft({ session: "one", done: ["c"] });
    expect(await test.doc()).toMatchObject({ accomplished: "- a\n- c", nextAction: "go on with one" });
    await test.handover.draft({ session: "two", done: ["d"] });
    expect(await test.doc()).toMatchObject({ accomplished: "- a\n- b\n- d", nextAction: "go on with two" });
  });

  it("change nothing when they have nothing new", async () => {
    await using test = await openTestHandover();
    await test.handover.draft({ session: "one", done: ["a"] });
    await test.handover.draft({ session: "two", done: ["b"] });
    const [before, versions] = [await test.read(), await test.history()];
    expect((await test.handover.draft({ session: "one" })).isChanged).toBe(false);
    expect(await test.read()).toBe(before);
    expect(await test.history()).toEqual(versions);
  });

  it("both go on from what a person has gone over, or has written by hand", async () => {
    await using test = await openTestHandover();
    await test.handover.draft({ session: "one", done: ["a"] });
    await test.handover.polish({ session: "two", accomplished: ["all"], tone: ["calm"] });
    await test.handover.draft({ session: "one", done: ["c"] });
    expect(await test.doc()).toMatchObject({ accomplished: "- all\n- c", tone: "calm" });
    await test.handover.draft({ session: "two", done: ["d"] });
    await test.write((await test.read()).replace("calm", "hurried"));
    await test.handover.draft({ session: "one", done: ["e"] });
    expect(await test.doc()).toMatchObject({ tone: "hurried" });
  });

  it("list the decisions since they began themselves", async () => {
    await using test = await openTestHandover();
    await test.handover.begin("one");
    await test.decide("USER_DECISION", "first");
    await test.handover.begin("two");
    await test.decide("USER_DECISION", "second");
    await test.handover.draft({ session: "two", done: ["b"] });
    expect((await test.doc()).added).toBe("1. second (D4)");
    await test.handover.draft({ session: "one", done: ["a"] });
    // That another session began is no decision of this one.
    expect((await test.doc()).added).toBe("1. second (D4)\n2. first (D2)");
  });
});
