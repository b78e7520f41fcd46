import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { type HookedProject, minute, one, openHookedProject, two } from "../support/hooked-project.ts";

const folder = ".claude/sdd/handover";
const theirs = "# Session Handover\n\n**Session Goal**: theirs\n\n## Direction\n";
const buffer = "# Handover Buffer\n\n## Knowledge Buffer\n\n- [PATTERN] theirs (source: a b, task 1)\n";

/** A turn that changed a file and ran a command after which a draft is made, with a subagent that learned something. */
async function work(project: HookedProject, session: string, from: number): Promise<void> {
  await project.prompt(session, minute(from), "/sdd-design login");
  await project.write(minute(from + 1), `src/${session}.ts`, "new\n");
  const message = { agent_type: "builder", last_assistant_message: "- [PATTERN] mine" };
  await project.hook(session, minute(from + 1), "SubagentStop", message);
  await project.hook(session, minute(from + 2), "PreCompact");
  await project.stop(session, minute(from + 3));
}

describe("documents that others wrote, in a project that is not trusted", () => {
  it.each([
    { case: "session.md", files: { "session.md": theirs } },
    { case: "buffer.md alone", files: { "buffer.md": buffer } },
    {
      case: "all of them",
      files: { "session.md": theirs, "buffer.md": buffer, "decisions.md": "# Decisions\n" },
    },
  ])("are not changed, nor is anything written beside them, until it is: $case", async ({ files }) => {
    await using project = await openHookedProject();
    for (const [name, text] of Object.entries(files))
      await project.write(minute(0), `${folder}/${name}`, text);
    await git(project.root, "add", "--force", ".");
    await project.commit(minute(0), "documents");
    await work(project, one, 1);
    expect(await project.sync(minute(6))).toMatchObject({ drafted: [], noted: [], unwritten: [] });
    expect(await git(project.root, "status", "--porcelain", "--", ".claude")).toBe("");
    await project.trust();
    await work(project, two, 7);
    const { drafted, noted } = await project.sync(minute(12));
    expect([drafted.length > 0, noted.length]).toEqual([true, 1]);
  });

  it("are not in the way where they are this user's own", async () => {
    await using project = await openHookedProject();
    await work(project, one, 1);
    expect((await project.sync(minute(6))).drafted.length).toBeGreaterThan(0);
    await git(project.root, "add", "--force", ".");
    await project.commit(minute(6), "documents");
    await work(project, two, 7);
    expect((await project.sync(minute(12))).drafted.length).toBeGreaterThan(0);
  });
});
