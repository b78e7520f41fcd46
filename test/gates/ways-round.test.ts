import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { makeSeedWorld, planner } from "../support/gates/seed-world.ts";
import { git } from "../support/git-repo.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const gates = "requirements:\n  commit_plan: {enabled: true}\n";

/** A session in a repository with a gate on edits, which has begun. */
async function begin(dir: TempDir) {
  const world = await makeSeedWorld(dir.path, gates);
  writeFileSync(join(world.root, "first.txt"), "first\n");
  await git(world.root, "add", "first.txt");
  await git(world.root, "commit", "--quiet", "--message", "first file");
  const session = world.session(planner);
  await session.start();
  return { ...world, session };
}

/** Commands that write past a gate, and hide it from a look at the work tree. */
const hidden = [
  {
    way: "a file of the gates that git ignores",
    command: "echo 'enabled: false' > .claude/requirements.local.yaml",
  },
  {
    way: "that gates let commands alone",
    command: "echo 'hooks: {shell_writes: ignore}' > .claude/requirements.local.yaml",
  },
  {
    way: "a file that git is told to take for unchanged",
    command: "git update-index --assume-unchanged first.txt && echo x >> first.txt",
  },
  {
    way: "a file that git is told to leave out",
    command: "git update-index --skip-worktree first.txt && echo x >> first.txt",
  },
  {
    way: "a file that git is told to ignore",
    command: "mkdir -p .git/info; echo unseen.txt >> .git/info/exclude; echo x > unseen.txt",
  },
  {
    way: "a file in a folder with a list of its own that ignores all",
    command:
      "printf '*\\n' > .claude/.gitignore; mkdir d; printf '*\\n' > d/.gitignore; echo x > d/unseen.txt",
  },
  {
    way: "a file that the user's settings of this repository ignore",
    command: "echo unseen.txt > ../ignored; git config core.excludesFile ../ignored; echo x > unseen.txt",
  },
  {
    way: "a file to which it gives a filter that gives back what was there",
    command: "mkdir -p .git/info; echo '*.txt filter=x' > .git/info/attributes",
  },
  {
    way: "a setting by which times of files do not count",
    command: "git config core.trustctime false",
  },
  {
    way: "a program that git runs when it looks",
    command: "git config core.fsmonitor ./x",
  },
  {
    way: "a hook of git",
    command: "mkdir -p .git/hooks; printf '#!/bin/sh\\n' > .git/hooks/post-index-change",
  },
  {
    way: "a file, and removes what is kept of the gates",
    command: "echo x > a.txt; rm -rf .git/requirements",
  },
];

describe("a command that writes past a gate is found", () => {
  it.each(hidden)("when it writes $way", async ({ command }) => {
    await using dir = await tempDir();
    const { session } = await begin(dir);
    expect(await session.run("ls")).toBe("nothing");
    expect((await session.stop()).type).toBe("nothing");
    expect(await session.run(command)).toBe("nothing");
    expect(await session.run("echo more > more.txt")).toBe("deny");
    expect((await session.stop()).type).toBe("hold");
    await session.skill("plan-review");
    expect(await session.run("echo more > more.txt")).toBe("nothing");
    expect((await session.stop()).type).toBe("nothing");
  });
});

/** Commands that write when their call has ended, each once the file `go` is there. */
const write = "until test -e ../go; do sleep 0.01; done; echo x > late.txt; touch ../gone";
const left = [
  { way: "in the background", command: `(${write}) > /dev/null 2>&1 &` },
  { way: "by nohup", command: `nohup sh -c '${write}' > /dev/null 2>&1 &` },
];

describe("a command that has left something running which writes past a gate", () => {
  it.each(left)("$way is found at the next command and at the stop", async ({ command }) => {
    await using dir = await tempDir();
    const { session } = await begin(dir);
    expect(await session.run(command)).toBe("nothing");
    // As long as it has written nothing, nothing is held against it.
    expect(await session.run("touch ../outside.txt")).toBe("nothing");
    expect((await session.stop()).type).toBe("nothing");
    writeFileSync(dir.join("go"), "");
    await vi.waitFor(() => expect(existsSync(dir.join("gone"))).toBe(true), 60_000);
    expect((await session.stop()).type).toBe("hold");
    expect(await session.run("touch ../outside.txt")).toBe("deny");
    await session.skill("plan-review");
    expect(await session.run("touch ../outside.txt")).toBe("nothing");
    expect((await session.stop()).type).toBe("nothing");
  });

  it("as the client says is found too", async () => {
    await using dir = await tempDir();
    const { session, root } = await begin(dir);
    expect(await session.run("touch ../outside.txt", { run_in_background: true })).toBe("nothing");
    writeFileSync(join(root, "late.txt"), "");
    expect(await session.run("touch ../outside.txt")).toBe("deny");
  });

  it("is not looked for once the gates are satisfied", async () => {
    await using dir = await tempDir();
    const { session, root } = await begin(dir);
    await session.run("touch ../outside.txt &");
    await session.skill("plan-review");
    expect((await session.stop()).type).toBe("nothing");
    writeFileSync(join(root, "late.txt"), "");
    expect((await session.stop()).type).toBe("nothing");
    expect(readdirSync(dir.join("home", "gates"), { recursive: true }).join()).not.toContain("behind");
  });
});

describe("what is no way round stays open", () => {
  it.each([
    { what: "a plan", command: "mkdir -p .claude/plans; echo plan > .claude/plans/plan.md" },
    { what: "a branch and a remote", command: "git switch --quiet -c topic; git remote add origin /nowhere" },
    { what: "where a branch comes from", command: "git config branch.feature/test.remote origin" },
    {
      what: "what tests leave in a cache",
      command: "mkdir .pytest_cache; printf '*\\n' > .pytest_cache/.gitignore; touch .pytest_cache/x",
    },
    { what: "a file outside", command: "echo x > ../outside.txt" },
  ])("$what", async ({ command }) => {
    await using dir = await tempDir();
    const { session } = await begin(dir);
    expect(await session.run(command)).toBe("nothing");
    expect((await session.stop()).type).toBe("nothing");
    expect(await session.run("touch ../again.txt")).toBe("nothing");
  });
});

describe("a plan", () => {
  it.each([
    { where: "in the folder of plans", link: undefined, answer: "nothing" },
    { where: "behind a link in its place", link: "plans", answer: "deny" },
    { where: "behind a link in it", link: "plans/deep", answer: "deny" },
    { where: "behind a link in it to itself", link: "plans/deep/plan.md", answer: "deny" },
  ])("$where is written: $answer", async ({ link, answer }) => {
    await using dir = await tempDir();
    const { session, root } = await begin(dir);
    mkdirSync(join(root, "src"));
    const path = join(root, ".claude", "plans", "deep", "plan.md");
    if (link !== undefined) {
      mkdirSync(join(root, ".claude", link, ".."), { recursive: true });
      symlinkSync(join(root, link.endsWith(".md") ? "first.txt" : "src"), join(root, ".claude", link));
    }
    expect(await session.write(path)).toBe(answer);
  });
});
