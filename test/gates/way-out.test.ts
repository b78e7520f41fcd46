import { describe, expect, it } from "vitest";
import { makeSeedWorld, planner } from "../support/gates/seed-world.ts";
import { git } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

const guard = (hooks: string) =>
  `requirements:\n  not_here: {enabled: true, type: guard, guard_type: protected_branch, protected_branches: [feature/test]}\n${hooks}`;

const ways = [
  "git switch -c my-feature",
  "git switch -q --create my-feature",
  "git checkout -b my-feature",
  "git branch my-feature && git -C . switch my-feature",
];

describe("the way off a protected branch", () => {
  it.each(ways)("is open after a write, and ends what is held against the session: %s", async (command) => {
    await using dir = await tempDir();
    const { session: open, root } = await makeSeedWorld(dir.path, guard(""));
    const session = open(planner);
    await session.start();
    expect(await session.run("echo '{}' > package-lock.json")).toBe("nothing");
    expect(await session.run("echo more > more.txt")).toBe("deny");
    expect(await session.run(`${command} && echo more > more.txt`)).toBe("deny");
    expect((await session.stop()).type).toBe("hold");
    expect(await session.run(command)).toBe("nothing");
    expect(await git(root, "branch", "--show-current")).toBe("my-feature");
    expect((await session.stop()).type).toBe("nothing");
    expect([await session.run("echo more > more.txt"), await session.edit()]).toEqual(["nothing", "nothing"]);
    expect((await session.stop()).type).toBe("nothing");
  });

  it("is open from the first moment where commands that write are refused", async () => {
    await using dir = await tempDir();
    const { session: open } = await makeSeedWorld(dir.path, guard("hooks: {shell_writes: block}\n"));
    const session = open(planner);
    await session.start();
    expect(await session.run("echo more > more.txt")).toBe("deny");
    expect(await session.run("git switch -c my-feature")).toBe("nothing");
    expect(await session.run("echo more > more.txt")).toBe("nothing");
  });

  it("is up to other gates like any command", async () => {
    await using dir = await tempDir();
    const both = guard("  commit_plan: {enabled: true}\n");
    const { session: open } = await makeSeedWorld(dir.path, both);
    const session = open(planner);
    await session.start();
    expect(await session.run("echo more > more.txt")).toBe("nothing");
    expect(await session.run("git switch -c my-feature")).toBe("deny");
    await session.skill("plan-review");
    expect(await session.run("git switch -c my-feature")).toBe("nothing");
  });
});
