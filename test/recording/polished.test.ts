import { describe, expect, it } from "vitest";
import { minute, one, openHookedProject, two } from "../support/hooked-project.ts";

describe("what a person has gone over", () => {
  const polish = { accomplished: ["All of it"], tone: ["calm"] };

  it.each([{ by: one }, { by: undefined }])(
    "is left alone by the stop of the same turn: %j",
    async ({ by }) => {
      await using project = await openHookedProject();
      await project.prompt(one, minute(1), "/sdd-design login");
      await project.stop(one, minute(2));
      await project.sync(minute(3));
      await project.prompt(one, minute(4), "/sdd-handover");
      await project.write(minute(5), "src/cart.ts", "a");
      await project.handover(minute(6), (each) => each.polish({ ...polish, session: by }));
      const polished = await project.read("session.md");
      await project.write(minute(7), "src/more.ts", "a");
      await project.commit(minute(7), "Hand over");
      await project.stop(one, minute(8));
      await project.hook(one, minute(9), "SessionEnd");
      expect(await project.sync(minute(10))).toMatchObject({ drafted: [], items: 2 });
      expect(await project.read("session.md")).toBe(polished);
    },
  );

  it("is left alone when a hook has held the stop and the turn went on", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-handover");
    await project.handover(minute(2), (each) => each.polish(polish));
    const polished = await project.read("session.md");
    await project.stop(one, minute(3), { stop_hook_active: false });
    await project.write(minute(4), "src/more.ts", "a");
    await project.stop(one, minute(5), { stop_hook_active: true });
    await project.sync(minute(6));
    expect(await project.read("session.md")).toBe(polished);
  });

  it("is left alone by a stop that was before it and is heard of later", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-design login");
    await project.stop(one, minute(2));
    await project.handover(minute(3), (each) => each.polish(polish));
    const polished = await project.read("session.md");
    expect(await project.sync(minute(4))).toMatchObject({ drafted: [] });
    expect(await project.read("session.md")).toBe(polished);
  });

  it("is carried forward by the next turn that does something", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-handover");
    await project.handover(minute(2), (each) => each.polish({ ...polish, session: one }));
    await project.stop(one, minute(3));
    await project.prompt(one, minute(4), "/sdd-impl login");
    await project.stop(one, minute(5));
    expect(await project.sync(minute(6))).toMatchObject({ drafted: [{ trigger: "command-completed" }] });
    expect(await project.doc()).toMatchObject({ mode: "auto-draft", tone: "calm" });
  });

  it("is carried forward by another session that was at work meanwhile", async () => {
    await using project = await openHookedProject();
    await project.prompt(two, minute(1), "/sdd-impl cart");
    await project.handover(minute(2), (each) => each.polish({ ...polish, session: one }));
    await project.stop(two, minute(3));
    expect(await project.sync(minute(4))).toMatchObject({ drafted: [{ session: two }] });
    expect(await project.doc()).toMatchObject({ tone: "calm" });
  });
});
