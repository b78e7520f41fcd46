import { describe, expect, it } from "vitest";
import { minute, one, openHookedProject, two } from "../support/hooked-project.ts";

describe("a wave of specs that is complete", () => {
  const note = { tag: "PATTERN", text: "api: retry", source: "login Builder, task 1" } as const;
  const spec = (phase: string) => `phase: ${phase}\nroadmap:\n  wave: 1\n  dependencies: []\n`;

  // Seed 0: 5.6, 7.5
  it("moves the notes into the knowledge at the stop of its turn, and not again", async () => {
    await using project = await openHookedProject();
    await project.spec(minute(0), "login", spec("implementation-complete"));
    await project.spec(minute(0), "cart", spec("design-generated"));
    await project.handover(minute(1), (each) => each.note([note]));
    await project.prompt(one, minute(2), "/sdd-impl cart");
    await project.stop(one, minute(3));
    expect(await project.sync(minute(4))).toMatchObject({ flushed: [] });
    await project.prompt(one, minute(5), "Go on");
    await project.spec(minute(6), "cart", spec("implementation-complete"));
    await project.stop(one, minute(7));
    const path = project.join(".claude/sdd/project/knowledge");
    expect(await project.sync(minute(8))).toMatchObject({
      ...{ flushed: [{ path, session: one, notes: 1 }], drafted: [{ trigger: "work-changed" }] },
    });
    await project.handover(minute(9), (each) => each.note([{ ...note, text: "api: wait" }]));
    await project.stop(one, minute(10));
    expect(await project.sync(minute(11))).toMatchObject({ flushed: [], drafted: [] });
    // A checkout there and back writes the same files anew.
    await project.prompt(one, minute(12), "Go on");
    for (const name of ["login", "cart"])
      await project.spec(minute(13), name, spec("implementation-complete"));
    await project.stop(one, minute(14));
    expect(await project.sync(minute(15))).toMatchObject({ flushed: [], drafted: [] });
    expect(await project.read("buffer.md")).toContain("api: wait");
  });
});

describe("a session that was cut off", () => {
  it("is written down when the next one begins in the same place", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-impl login");
    await project.write(minute(2), "src/cart.ts", "a");
    const dayLater = new Date(minute(0).getTime() + 24 * 3_600_000);
    await project.sync(dayLater);
    await project.hook(two, dayLater, "SessionStart", { source: "startup" });
    expect(await project.sync(dayLater)).toMatchObject({
      drafted: [{ session: one, trigger: "work-changed" }],
    });
    expect(await project.doc()).toMatchObject({ accomplished: "", modifiedFiles: "- `src/cart.ts`" });
    await project.hook(two, dayLater, "SessionStart", { source: "clear" });
    expect(await project.sync(dayLater)).toMatchObject({ drafted: [] });
  });

  it("is left as it was when something was written since, or it only talked, or was elsewhere", async () => {
    await using project = await openHookedProject();
    await using other = await openHookedProject({ first: "another" });
    const dayLater = new Date(minute(0).getTime() + 24 * 3_600_000);
    await project.prompt(one, minute(1), "Hello");
    await project.sync(dayLater);
    const begin = (cwd: string) => project.hook(two, dayLater, "SessionStart", { source: "startup", cwd });
    await begin(project.root);
    expect(await project.sync(dayLater)).toMatchObject({ drafted: [] });
    await project.write(minute(2), "src/cart.ts", "a");
    await project.handover(minute(3), (each) => each.draft({ done: ["By hand"] }));
    await begin(project.root);
    expect(await project.sync(dayLater)).toMatchObject({ drafted: [] });
    await begin(other.root);
    expect(await project.sync(dayLater)).toMatchObject({ drafted: [], unwritten: [] });
  });
});
