import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { locateHandover, openHandover } from "../../src/handover/handover-folder.ts";
import { minute, one, openHookedProject, two } from "../support/hooked-project.ts";

describe("documents that cannot be written", () => {
  it("are told of, in the report and in the log, and keep no other project waiting", async () => {
    await using project = await openHookedProject();
    await project.trust();
    await using other = await openHookedProject({ first: "another" });
    await mkdir(project.join(".claude/sdd/handover"), { recursive: true });
    await writeFile(
      project.join(".claude/sdd/handover/session.md"),
      "<<<<<<< ours\n=======\n>>>>>>> theirs\n",
    );
    for (const minutes of [1, 3]) {
      await project.prompt(one, minute(minutes), "/sdd-design login");
      await project.stop(one, minute(minutes + 1));
    }
    const told = { cwd: other.root };
    await project.say(two, minute(5), user("/sdd-impl cart"), other.root);
    await project.stop(two, minute(6), told);
    const { drafted, unwritten, failed, items } = await project.sync(minute(7));
    const [path, unfit] = [other, project].map((each) => each.join(".claude/sdd/handover/session.md"));
    const reason = "A git merge left its marks in the document, in lines 1, 2, 3.";
    expect({ drafted, unwritten, failed, items }).toEqual({
      drafted: [{ path, session: two, trigger: "command-completed" }],
      unwritten: [{ path: unfit, code: "unfinished-merge", reason }],
      ...{ failed: [], items: 3 },
    });
    const log = await readFile(join(project.home, "carryon.log"), "utf8");
    expect(log).toBe(`${minute(7).toISOString()} sync: ${unfit}: ${reason}\n`);
    expect(await project.sync(minute(8))).toMatchObject({ unwritten: [], items: 0 });
  });

  it("are written by the next sync when somebody else was changing them", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-design login");
    await project.stop(one, minute(2));
    await project.hook(one, minute(3), "SessionEnd");
    const place = { root: project.root, sddDir: ".claude/sdd" };
    {
      await using _held = await openHandover(place);
      const { drafted, unwritten, items } = await project.sync(minute(4));
      expect({ drafted, unwritten, items }).toMatchObject({
        ...{ drafted: [], unwritten: [{ code: "lock-busy" }], items: 0 },
      });
    }
    const path = locateHandover(place).session;
    expect(await project.sync(minute(5))).toMatchObject({ drafted: [{ path, session: one }], items: 2 });
  }, 20_000);

  it("are told of in the report alone where the log cannot be written either", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), "/sdd-design login");
    await project.stop(one, minute(2));
    await project.write(minute(0), ".claude/sdd/handover", "a file");
    await mkdir(join(project.home, "carryon.log"), { recursive: true, mode: 0o700 });
    await chmod(project.home, 0o700);
    expect(await project.sync(minute(3))).toMatchObject({ unwritten: [{ code: "not-a-folder" }], items: 1 });
  });
});

function user(content: string) {
  return { type: "user", message: { role: "user", content } };
}
