import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { git, gitEnv } from "../support/git-repo.ts";
import { repoIn } from "../support/save-repo.ts";
import { validate } from "../support/saved-state.ts";
import { tempDir } from "../support/temp-dir.ts";

const shortHead = async (root: string) => (await git(root, "rev-parse", "HEAD")).slice(0, 7);

describe("a branch that is gone", () => {
  const adviceOf = async (root: string, branch: string, commit: string) =>
    (await validate(root, { branch, commit })).map(({ action }) => action)[0];

  it("is brought back from its commit, by a command that can be pasted", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const branch = "it's $(touch x);`touch y`".replaceAll(" ", "-");
    await git(root, "switch", "-q", "-c", branch);
    await git(root, "commit", "-q", "--allow-empty", "-m", "second");
    const saved = await shortHead(root);
    await git(root, "switch", "-q", "main");
    await git(root, "branch", "-q", "-D", branch);
    const advice = await adviceOf(root, branch, saved);
    const command = `git branch 'it'\\''s-$(touch-x);\`touch-y\`' ${saved}`;
    expect(advice).toBe(
      `There is no such branch here, but its saved commit is: bring it back with \`${command}\`, or go on here and save again.`,
    );
    await promisify(execFile)("sh", ["-c", command], { cwd: root, env: gitEnv });
    expect(await git(root, "log", "-1", "--format=%s", branch, "--")).toBe("second");
    expect(await git(root, "status", "--porcelain")).toBe("");
  });

  it("is switched to where it was fetched, with all that came since", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    await git(root, "update-ref", "refs/remotes/origin/side", "HEAD");
    expect(await adviceOf(root, "side", await shortHead(root))).toBe(
      "Switch to it with `git switch side`, or go on here and save again.",
    );
  });

  it("is to be fetched where its commit is not here either", async () => {
    await using dir = await tempDir();
    const root = await repoIn(dir.join("repo"));
    const blob = (await git(root, "rev-parse", "HEAD:a.txt")).slice(0, 12);
    for (const unknown of ["0123abc", "main", "", blob])
      expect(await adviceOf(root, "gone", unknown)).toBe(
        "There is no such branch here: fetch it, or go on here and save again.",
      );
  });
});
