import { access, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type HookedProject, minute, one, openHookedProject, two } from "../support/hooked-project.ts";

const handover = ".claude/sdd/handover";

describe("a turn that ran a command after which a draft is made", () => {
  // Seed 0: 1.1
  it.each([
    { case: "as a skill that the model loads", name: "Skill", input: { skill: "sdd-impl", args: "login" } },
    { case: "as a skill of a plugin", name: "Skill", input: { skill: "plug:impl" } },
  ])("is known $case", async ({ name, input }) => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "Build it");
    await project.use(one, minute(2), name, input);
    await project.stop(one, minute(3));
    const { drafted } = await project.sync(minute(4));
    expect(drafted.map(({ trigger }) => trigger)).toEqual(["command-completed"]);
    const line = `/${input.skill}${input.args === undefined ? "" : ` ${input.args}`}`;
    expect((await project.doc()).accomplished).toBe(`- ${line}`);
  });

  it("is known by the tags that the client writes for a command, and by the hook that saw it expand", async () => {
    await using project = await openHookedProject();
    const tags = "<command-message>sdd-design</command-message>\n<command-name>/sdd-design</command-name>";
    await project.prompt(one, minute(1), `${tags}\n<command-args>login</command-args>`);
    await project.stop(one, minute(2));
    await project.prompt(two, minute(1), "the expanded text");
    const told = { command_name: "plug:sdd-review", command_args: "cart" };
    await project.hook(two, minute(1), "UserPromptExpansion", told);
    await project.stop(two, minute(3));
    const { drafted } = await project.sync(minute(4));
    expect(drafted.map(({ session }) => session)).toEqual([one, two]);
    const versions = await project.handover(minute(5), (each) => each.history());
    expect(versions[0]?.text).toContain("- /sdd-design login\n");
    expect((await project.doc()).accomplished).toBe("- /plug:sdd-review cart");
  });

  it.each([
    { case: "a skill that could not be loaded", name: "Skill", input: { skill: "sdd-impl" }, failed: true },
    { case: "another skill", name: "Skill", input: { skill: "designer" }, failed: false },
    { case: "another tool", name: "Read", input: { skill: "sdd-impl" }, failed: false },
  ])("is none with $case", async ({ name, input, failed }) => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "Talk about /sdd-design login");
    await project.use(one, minute(2), name, input, failed);
    await project.stop(one, minute(3));
    expect(await project.sync(minute(4))).toMatchObject({ drafted: [] });
    await expect(access(project.join(".claude"))).rejects.toThrow("ENOENT");
  });

  // Seed 0: 7.1
  it("is told once, and not again in the turns after it", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-design login");
    await project.stop(one, minute(2));
    await project.sync(minute(3));
    const before = await project.read("session.md");
    await project.prompt(one, minute(4), "Thank you");
    await project.stop(one, minute(5));
    expect(await project.sync(minute(6))).toMatchObject({ drafted: [], items: 1 });
    expect(await project.read("session.md")).toBe(before);
  });
});

describe("a turn that changed something", () => {
  it("leaves a session.md that names the files and the commits", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "Build it");
    await project.write(minute(2), "src/cart.ts", "a");
    await project.stop(one, minute(3));
    expect(await project.sync(minute(4))).toMatchObject({ drafted: [{ trigger: "work-changed" }] });
    expect(await project.doc()).toMatchObject({ accomplished: "", modifiedFiles: "- `src/cart.ts`" });
    await project.commit(minute(5), "WIP: The cart - checkpoint");
    await project.commit(minute(5), "Add the cart");
    await project.stop(one, minute(6));
    expect(await project.sync(minute(7))).toMatchObject({ drafted: [{ trigger: "work-changed" }] });
    expect(await project.doc()).toMatchObject({ accomplished: "- Add the cart" });
  });

  it("leaves a session.md without the secret that a commit names", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "Build it");
    await project.commit(minute(2), `Use ghp_${"a1B2c3D4e5F6".repeat(3)}`);
    await project.stop(one, minute(3));
    await project.sync(minute(4));
    expect(await project.doc()).toMatchObject({ accomplished: "- Use [redacted:github-token]" });
    expect(await project.read("session.md")).not.toContain("ghp_");
  });

  it("is none when only what was there before its session differs from the last commit", async () => {
    await using project = await openHookedProject();
    await project.write(minute(0), "old.ts", "a");
    await project.prompt(one, minute(1), "Hello");
    await project.stop(one, minute(2));
    await project.hook(one, minute(3), "SessionEnd");
    expect(await project.sync(minute(4))).toMatchObject({ drafted: [], items: 2 });
    await expect(access(project.join(".claude"))).rejects.toThrow("ENOENT");
  });

  it("is one when it took a file away", async () => {
    await using project = await openHookedProject();
    await project.write(minute(0), "src/old.ts", "a");
    await project.commit(minute(0), "Add it");
    await project.prompt(one, minute(1), "Take it away");
    await rm(project.join("src"), { recursive: true });
    await utimes(project.root, minute(2), minute(2));
    await project.stop(one, minute(3));
    expect(await project.sync(minute(4))).toMatchObject({ drafted: [{ trigger: "work-changed" }] });
  });

  it("is known outside git by what its tools wrote", async () => {
    await using project = await openHookedProject({ inGit: false });
    await project.prompt(one, minute(1), "Write it down");
    await project.use(one, minute(2), "Write", { file_path: project.join("notes.md"), content: "a" });
    await project.use(one, minute(2), "Write", { file_path: "/elsewhere/notes.md", content: "a" });
    await project.stop(one, minute(3));
    expect(await project.sync(minute(4))).toMatchObject({ drafted: [{ trigger: "work-changed" }] });
    expect(await project.doc()).toMatchObject({ modifiedFiles: "- `notes.md`" });
  });

  it.each(["PreCompact", "SessionEnd"])("is written down at %s, though it is not over", async (event) => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-impl login");
    await project.write(minute(2), "src/cart.ts", "a");
    await project.hook(one, minute(3), event);
    expect(await project.sync(minute(4))).toMatchObject({ drafted: [{ trigger: "work-changed" }] });
    expect(await project.doc()).toMatchObject({ accomplished: "", modifiedFiles: "- `src/cart.ts`" });
  });
});

describe("the beginning of a session", () => {
  const starts = (project: HookedProject) =>
    project.handover(minute(20), (each) => each.decisions({ type: "SESSION_START" }));

  // Seed 0: 7.6
  it.each([{ before: true }, { before: false }])(
    "is told once, whoever told it first: %j",
    async ({ before }) => {
      await using project = await openHookedProject();
      if (before) await project.handover(minute(1), (each) => each.begin(one));
      for (const number of [1, 4]) {
        await project.prompt(one, minute(number), "/sdd-design login");
        await project.stop(one, minute(number + 1));
        await project.sync(minute(number + 2));
      }
      await project.handover(minute(7), (each) => each.begin(one));
      expect((await starts(project)).map(({ context }) => context)).toEqual([`session ${one}`]);
    },
  );

  it("makes what was added before continue, and lists what was done since", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-design login");
    await project.stop(one, minute(2));
    await project.sync(minute(3));
    await project.prompt(two, minute(4), "/sdd-impl login");
    await project.stop(two, minute(5));
    await project.sync(minute(6));
    expect(await project.doc()).toMatchObject({ accomplished: "- /sdd-impl login" });
  });
});

describe("a pipeline that stops", () => {
  // Seed 0: 1.6
  it("leaves a session.md that says what to resolve", async () => {
    await using project = await openHookedProject();
    await project.write(minute(0), ".gitignore", ".claude\n");
    await project.commit(minute(0), "Ignore it");
    await project.prompt(one, minute(1), "Go on");
    await project.spec(
      minute(2),
      "login",
      "phase: blocked\nblocked_info:\n  blocked_by: cart\n  reason: no\n",
    );
    await project.stop(one, minute(3));
    expect(await project.sync(minute(4))).toMatchObject({ drafted: [{ trigger: "pipeline-stopped" }] });
    expect((await project.doc()).nextAction).toContain("Resolve what blocks login");
    await project.stop(one, minute(5));
    expect(await project.sync(minute(6))).toMatchObject({ drafted: [] });
  });
});

describe("the place of a draft", () => {
  it("is none in a folder that has gone", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-design login");
    await project.sync(minute(2));
    await project.stop(one, minute(3));
    await rename(project.root, `${project.root}-moved`);
    expect(await project.sync(minute(4))).toMatchObject({ drafted: [], unwritten: [], items: 1 });
    await expect(access(project.root)).rejects.toThrow("ENOENT");
  });

  it("is the work tree of the session, also when the client looks elsewhere", async () => {
    await using project = await openHookedProject();
    await using other = await openHookedProject({ first: "another" });
    await project.prompt(one, minute(1), "/sdd-design login");
    await project.stop(one, minute(2), { cwd: other.root });
    const path = join(project.root, handover, "session.md");
    expect(await project.sync(minute(3))).toMatchObject({ drafted: [{ path }] });
  });
});
