import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readOwnCommits } from "../../src/git/work-since.ts";
import { git, gitEnv, makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

const second = (number: number) => new Date(Date.UTC(2040, 0, 1, 12, 0, number));

describe("the commits since a moment", () => {
  it("are those of the user, from the second of the moment on, oldest first", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, ["first"]);
    const commit = async (at: Date, message: string, email = "a@example.invalid") => {
      const dates = { GIT_COMMITTER_DATE: at.toISOString(), GIT_COMMITTER_EMAIL: email };
      const args = ["commit", "--quiet", "--allow-empty", "-m", message];
      await promisify(execFile)("git", args, { cwd: dir.path, env: { ...gitEnv, ...dates } });
    };
    await commit(second(1), "before");
    await commit(second(2), "in that second");
    await commit(second(3), "of another", "b@example.invalid");
    await commit(second(4), "after");
    const subjectsSince = async (moment: Date) =>
      (await readOwnCommits(dir.path, moment)).map(({ subject }) => subject);
    const since = new Date(second(2).getTime() + 900);
    expect(await subjectsSince(since)).toEqual(["in that second", "of another", "after"]);
    await git(dir.path, "config", "user.email", "a@example.invalid");
    expect(await subjectsSince(since)).toEqual(["in that second", "after"]);
  });

  it("are none before the first one", async () => {
    await using dir = await tempDir();
    await makeRepo(dir.path, []);
    expect(await readOwnCommits(dir.path, second(0))).toEqual([]);
  });
});
