import { describe, expect, it } from "vitest";
import { briefParts } from "../support/brief-of.ts";
import { openTestHandover } from "../support/project-handover.ts";

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

describe("what two sessions left at the same moment", () => {
  const lead =
    "It was left beside the other one, and nobody has taken it up; `carryon handover --history` shows all of it.";
  const handovers = async (test: Awaited<ReturnType<typeof openTestHandover>>, session: string) => {
    const parts = await briefParts(test, session);
    const others = Object.entries(parts).filter(([name]) => name.startsWith("Handover of session"));
    return { next: parts["Next action"], ...Object.fromEntries(others) };
  };

  it("is told to the next one of both, at each reading the same, until one that knew of both has drafted", async () => {
    await using test = await openTestHandover();
    for (const session of ["one", "two"]) await test.handover.begin(session);
    await test.handover.draft({ session: "one", done: ["a"], next: "go on with one" });
    await test.handover.draft({ session: "two", done: ["b"], next: "go on with two" });
    const both = {
      next: "go on with two",
      "Handover of session one": `${lead}\nNext action: go on with one\nAccomplished: - a`,
    };
    expect(await handovers(test, "three")).toEqual(both);
    await test.handover.begin("three");
    expect([await handovers(test, "three"), await handovers(test, "four")]).toEqual([both, both]);
    await test.handover.draft({ session: "three", done: ["c"], next: "go on with three" });
    expect(await handovers(test, "four")).toEqual({ next: "go on with three" });
    const texts = (await test.history()).map(([, text]) => text);
    expect(
      ["one", "two", "three"].map((name) => texts.filter((text) => text?.includes(`with ${name}`)).length),
    ).toEqual([1, 1, 1]);
  });

  it("is told of both also where they were handed over by people, without what the other says too", async () => {
    await using test = await openTestHandover();
    for (const session of ["one", "two"]) await test.handover.begin(session);
    await test.handover.polish({ session: "one", accomplished: ["a"], next: ["mend a"], warnings: ["hot"] });
    await test.handover.polish({ session: "two", accomplished: ["b"], next: ["mend b"], tone: ["calm"] });
    expect(await handovers(test, "three")).toEqual({
      next: "mend b",
      "Handover of session one": `${lead}\nNext action: mend a\nAccomplished: - a`,
    });
  });

  it("tells one that goes on also what the other has left", async () => {
    await using test = await openTestHandover();
    for (const session of ["one", "two"]) await test.handover.begin(session);
    await test.handover.draft({ session: "one", done: ["a"], next: "go on with one" });
    await test.handover.draft({ session: "two", done: ["b"], next: "go on with two" });
    expect(await handovers(test, "one")).toEqual({
      next: "go on with one",
      "Handover of session two": expect.stringContaining("Next action: go on with two\nAccomplished: - b"),
    });
  });

  it("is what a person has before them who goes over it in no session", async () => {
    await using test = await openTestHandover();
    for (const session of ["one", "two"]) await test.handover.begin(session);
    await test.handover.draft({ session: "one", done: ["a"], next: "go on with one" });
    await test.handover.draft({ session: "two", done: ["b"], next: "go on with two" });
    await test.handover.polish({ next: ["go on with all"] });
    expect(await handovers(test, "three")).toEqual({
      next: "go on with all",
      "Handover of session one": `${lead}\nNext action: go on with one\nAccomplished: - a`,
    });
  });

  it("is told of three, and the rest counted", async () => {
    await using test = await openTestHandover();
    const sessions = ["one", "two", "three", "four", "five", "six"];
    for (const session of sessions) await test.handover.begin(session);
    for (const session of sessions) await test.handover.draft({ session, next: `go on with ${session}` });
    const parts = await briefParts(test, "seven");
    expect(Object.keys(await handovers(test, "seven"))).toEqual([
      ...["next", "Handover of session five", "Handover of session four", "Handover of session three"],
    ]);
    expect(parts["More handovers"]).toBe("2 more were left beside these: see `carryon handover --history`.");
  });
});
