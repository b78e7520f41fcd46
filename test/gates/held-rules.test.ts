import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { releaseTree } from "../../src/gates/hold-desk.ts";
import { implementer, makeSeedWorld, planner } from "../support/gates/seed-world.ts";
import { git } from "../support/git-repo.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const gates = `requirements:
  commit_plan: {enabled: true}
  each_commit: {enabled: true, scope: single_use, trigger_tools: [{tool: Bash, command_pattern: git commit}]}
`;
const off = "echo 'enabled: false' > .claude/requirements.local.yaml";

/** A session in a repository with gates, which has begun. */
async function begin(dir: TempDir, requirements = gates) {
  const world = await makeSeedWorld(dir.path, requirements);
  const session = world.session(planner);
  await session.start();
  return { ...world, session, another: world.session };
}

describe("a session whose gate is not satisfied is held to it", () => {
  it.each([
    { after: "a file of its own turns the gates off", command: off },
    {
      after: "a file of its own turns the gate off",
      command: "echo 'requirements: {commit_plan: {enabled: false}}' > .claude/requirements.local.yaml",
    },
    { after: "the file can no longer be read as YAML", command: "echo '[' >> .claude/requirements.yaml" },
    { after: "the file is gone", command: "rm .claude/requirements.yaml" },
    { after: "the folder of the file is another", command: "mv .claude away; touch .claude" },
    { after: "HEAD is detached", command: "git checkout --quiet --detach" },
    {
      after: "a commit without the file is checked out",
      command: "git checkout --quiet --detach main~1; test ! -e .claude/requirements.yaml",
    },
  ])("after $after", async ({ command }) => {
    await using dir = await tempDir();
    const { session } = await begin(dir);
    await session.run(command);
    expect([await session.edit(), await session.edit()]).toEqual(["deny", "deny"]);
  });

  it("after the file, which no commit has, is stashed away", async () => {
    await using dir = await tempDir();
    const { session, root } = await begin(dir);
    await git(root, "rm", "--quiet", "--cached", ".claude/requirements.yaml");
    await git(root, "commit", "--quiet", "--message", "untracked");
    expect(await session.edit()).toBe("deny");
    await session.run("git stash --quiet --include-untracked");
    expect(readdirSync(root)).not.toContain(".claude");
    expect(await session.edit()).toBe("deny");
  });

  it("after a compaction, which nobody began", async () => {
    await using dir = await tempDir();
    const { session } = await begin(dir);
    await session.run(off);
    await session.start("compact");
    expect(await session.edit()).toBe("deny");
  });

  it("and satisfies it as before: the rules are the old ones, and so is the branch", async () => {
    await using dir = await tempDir();
    const { session, jq } = await begin(dir);
    await session.run("git checkout --quiet --detach; rm .claude/requirements.yaml");
    await session.skill("plan-review");
    expect(await session.edit()).toBe("nothing");
    expect(jq("requirements.commit_plan.sessions.abc123ab.satisfied")).toBe(true);
  });
});

describe("what the files say after a change counts", () => {
  it.each([
    { what: "for a session that begins", source: "startup", id: implementer },
    { what: "for one that is taken up again", source: "resume", id: planner },
  ])("$what", async ({ source, id }) => {
    await using dir = await tempDir();
    const { session, another } = await begin(dir);
    await session.run(off);
    const next = another(id);
    await next.start(source);
    expect(await next.edit()).toBe("nothing");
  });

  it("once all gates of a session are satisfied, and not while one of them is not", async () => {
    await using dir = await tempDir();
    const both =
      "requirements:\n  one: {enabled: true, satisfied_by_skill: a}\n  two: {enabled: true, satisfied_by_skill: b}\n";
    const { session, root } = await begin(dir, both);
    await session.skill("a");
    // As a person does it in an editor.
    writeFileSync(join(root, ".claude", "requirements.local.yaml"), "enabled: false\n");
    expect(await session.edit()).toBe("deny");
    await session.skill("b");
    expect(await session.edit()).toBe("nothing");
    writeFileSync(
      join(root, ".claude", "requirements.local.yaml"),
      "requirements: {three: {enabled: true}}\n",
    );
    expect(await session.edit()).toBe("deny");
  });

  it("when a person says so, in every session of the work tree", async () => {
    await using dir = await tempDir();
    const { session, root } = await begin(dir);
    await session.run(off);
    expect(await session.edit()).toBe("deny");
    expect(releaseTree({ home: dir.join("home"), root })).toBe(1);
    expect(await session.edit()).toBe("nothing");
    expect(releaseTree({ home: dir.join("home"), root })).toBe(0);
  });

  it("at once where there was no gate before", async () => {
    await using dir = await tempDir();
    const { session, root } = await begin(dir, "requirements: {}\n");
    expect(await session.edit()).toBe("nothing");
    writeFileSync(join(root, ".claude", "requirements.yaml"), gates);
    expect(await session.edit()).toBe("deny");
  });
});

describe("what is kept of a session", () => {
  it("stops nobody where it cannot be kept: the files decide", async () => {
    await using dir = await tempDir();
    const world = await makeSeedWorld(dir.path, gates);
    writeFileSync(dir.join("home", "gates"), "no folder");
    const session = world.session(planner);
    await session.start();
    expect(await session.edit()).toBe("deny");
    await session.run("rm .claude/requirements.yaml");
    expect(await session.edit()).toBe("nothing");
    expect(readFileSync(dir.join("home", "gates"), "utf8")).toBe("no folder");
  });

  it("goes when the next one begins a month later", async () => {
    await using dir = await tempDir();
    const { session, another } = await begin(dir);
    const kept = () => readdirSync(dir.join("home", "gates"));
    const [old = ""] = kept();
    utimesSync(dir.join("home", "gates", old), 0, 0);
    mkdirSync(dir.join("home", "gates", "young"));
    await another(implementer).start();
    expect(kept()).not.toContain(old);
    expect(kept()).toContain("young");
    rmSync(dir.join("home", "gates"), { recursive: true });
    expect(await session.edit()).toBe("deny");
  });
});
