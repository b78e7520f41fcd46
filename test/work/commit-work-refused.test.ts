import { access } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { git } from "../support/git-repo.ts";
import {
  filesIn,
  findLost,
  hook,
  inConflict,
  readHoldings,
  repoIn,
  save,
  statusOf,
  tell,
  tryGit,
  writeFiles,
} from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

describe("a save that git or somebody stands in the way of", () => {
  it("makes no commit in the middle of a merge, and names the conflicts", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await inConflict(root);
    expect(await tryGit(root, "merge", "other")).toBe(1);
    await writeFiles(root, { "new.txt": "new\n" });
    const before = await readHoldings(root);
    expect(tell(await save(root))).toMatchObject({
      type: "in-progress",
      operation: "merge",
      conflicts: ["a.txt"],
    });
    expect(await findLost(root, before)).toEqual([]);
    expect(await git(root, "rev-parse", "-q", "--verify", "MERGE_HEAD")).not.toBe("");
  });

  it.each([
    { operation: "rebase", args: ["rebase", "other"] },
    { operation: "cherry-pick", args: ["cherry-pick", "other"] },
    { operation: "revert", args: ["revert", "--no-edit", "HEAD~1"] },
  ])("makes no commit in the middle of a $operation", async ({ operation, args }) => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await inConflict(root);
    expect(await tryGit(root, ...args)).not.toBe(0);
    expect(tell(await save(root))).toMatchObject({ type: "in-progress", operation, conflicts: ["a.txt"] });
  });

  it("makes no commit in the middle of a bisection", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await inConflict(root);
    await git(root, "bisect", "start", "HEAD", "HEAD~2");
    await writeFiles(root, { "new.txt": "new\n" });
    expect(tell(await save(root))).toMatchObject({ type: "in-progress", operation: "bisect" });
  });

  it("makes no commit of conflicts that no merge is left of", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await inConflict(root);
    await writeFiles(root, { "a.txt": "stashed\n" });
    await git(root, "stash", "-q");
    await writeFiles(root, { "a.txt": "committed\n" });
    await git(root, "commit", "-qam", "third");
    expect(await tryGit(root, "stash", "pop")).toBe(1);
    expect(tell(await save(root))).toMatchObject({ type: "conflicts", conflicts: ["a.txt"] });
  });

  it("runs the user's hooks, which see what is committed and may add to it", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await hook(root, "pre-commit", "git diff --cached --name-only > seen; echo x > made; git add made");
    await hook(root, "commit-msg", 'echo "Ticket: 1" >> "$1"');
    await writeFiles(root, { "c.txt": "c\n", ".gitignore": "seen\n" });
    expect(tell(await save(root))).toMatchObject({ type: "committed" });
    expect(await filesIn(root)).toEqual([".gitignore", "a.txt", "c.txt", "made", "src/b.txt"]);
    expect(await git(root, "log", "-1", "--format=%B")).toBe("WIP: it - checkpoint\nTicket: 1");
    expect(await statusOf(root)).toEqual([]);
  });

  it("tells what a hook has added that was to be left out", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await hook(root, "pre-commit", "git add .env");
    await writeFiles(root, { "new.txt": "new\n", ".env": "A=1\n", ".env.local": "B=1\n" });
    expect(tell(await save(root))).toMatchObject({
      ...{ type: "committed", added: [".env"] },
      taken: [".env", "new.txt"],
      leftOut: [".env.local: environment"],
    });
    expect(await filesIn(root)).toEqual([".env", "a.txt", "new.txt", "src/b.txt"]);
    expect(await statusOf(root)).toEqual(["?? .env.local"]);
  });

  it("tells what a hook has made and added that would have been left out", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const secret = "ghp_012345678901234567890123456789abcdef";
    const files = `echo A=1 > .env; echo ${secret} > token.txt; echo fine > fine.txt; echo ${secret} >> a.txt`;
    await hook(root, "pre-commit", `${files}; git add .env token.txt fine.txt a.txt`);
    await writeFiles(root, { "new.txt": "new\n" });
    expect(tell(await save(root))).toMatchObject({
      ...{ type: "committed", added: [".env", "a.txt", "token.txt"] },
      taken: [".env", "a.txt", "new.txt", "token.txt"],
      leftOut: [],
    });
  });

  it("tells that a hook has added the state or its lock, which are nobody's work", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    const [state, lock] = [".claude/session-state.json", ".claude/.session-state.json.carryon-lock"];
    await writeFiles(root, { "new.txt": "new\n", [state]: "{}\n", [lock]: "" });
    await writeFiles(root, { ".git/info/exclude": "/.claude/session-state.json\n" });
    await hook(root, "pre-commit", "git add -f .claude");
    expect(tell(await save(root))).toMatchObject({
      ...{ type: "committed", added: [lock, state] },
      taken: ["new.txt"],
      leftOut: [],
    });
  });

  it("does not wait for what a hook leaves running", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    // It ends by itself once the save has, and would never end if the save waited for it.
    const wait = "until test -e .git/saved || ! test -d .git; do sleep 0.05; done; echo > .git/ended";
    await hook(root, "post-commit", `(${wait}) &`);
    await writeFiles(root, { "new.txt": "new\n" });
    expect(tell(await save(root))).toMatchObject({ type: "committed", taken: ["new.txt"] });
    await writeFiles(root, { ".git/saved": "" });
    await vi.waitFor(() => access(join(root, ".git/ended")), { timeout: 60_000, interval: 50 });
  });

  it("leaves everything as it was when a hook refuses", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await hook(root, "pre-commit", "echo lint failed >&2; exit 1");
    await writeFiles(root, { "a.txt": "staged\n", "c.txt": "c\n" });
    await git(root, "add", "a.txt");
    const [before, head] = [await readHoldings(root), await git(root, "rev-parse", "HEAD")];
    expect((await save(root)).outcome).toEqual({ type: "refused", said: "lint failed" });
    expect(await git(root, "rev-parse", "HEAD")).toBe(head);
    expect(await statusOf(root)).toEqual(["M  a.txt", "?? c.txt"]);
    expect(await findLost(root, before)).toEqual([]);
  });

  it("says what git says when nobody is known who commits", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await git(root, "config", "user.useConfigOnly", "true");
    await git(root, "config", "author.name", "");
    await git(root, "config", "commit.gpgSign", "true");
    await git(root, "config", "gpg.program", "/nonexistent");
    await writeFiles(root, { "c.txt": "c\n" });
    const { outcome } = await save(root);
    expect(outcome.type).toBe("failed");
    expect(await statusOf(root)).toEqual(["?? c.txt"]);
  });

  it("lets the index follow when somebody has staged something meanwhile", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    await writeFiles(root, { "c.txt": "c\n", ".gitignore": "late.txt\n", "late.txt": "late\n" });
    await hook(root, "post-commit", "GIT_INDEX_FILE=$PWD/.git/index git add -f late.txt");
    expect(tell(await save(root))).toMatchObject({ type: "committed", taken: [".gitignore", "c.txt"] });
    expect(await statusOf(root)).toEqual(["A  late.txt"]);
  });

  it("never undoes a commit that was made at the same moment", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.path);
    // The filter runs while the commit is put together.
    await git(
      root,
      "config",
      "filter.slow.clean",
      "cat; test -e done || { touch done; env -u GIT_INDEX_FILE git commit -q --allow-empty -m theirs; }",
    );
    await writeFiles(root, { ".gitattributes": "c.txt filter=slow\n", ".gitignore": "done\n" });
    await git(root, "add", ".");
    await git(root, "commit", "-qm", "with a filter");
    await writeFiles(root, { "c.txt": "c\n" });
    const { outcome } = await save(root);
    expect(outcome).toEqual({
      type: "failed",
      said: "Another commit was made at the same moment. Save again.",
    });
    expect(await git(root, "log", "-1", "--format=%s")).toBe("theirs");
    expect(tell(await save(root))).toMatchObject({ type: "committed" });
  });
});
