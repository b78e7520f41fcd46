import { expect, it } from "vitest";
import { openWork } from "../support/work-project.ts";

it.each([
  ["committed", ["commit", "-qam", "merged"]],
  ["aborted", ["merge", "--abort"]],
] as const)("clears a conflict that was resolved since: %s", async (_, end) => {
  await using work = await openWork();
  await work.git("checkout", "-qb", "other");
  await work.write({ "a.txt": "theirs\n" });
  await work.git("commit", "-qam", "theirs");
  await work.git("checkout", "-q", "main");
  await work.write({ "a.txt": "ours\n" });
  await work.git("commit", "-qam", "ours");
  await expect(work.git("merge", "other")).rejects.toThrow();
  await work.call(["save"]);
  expect((await work.state()).blocker).toMatchObject({ type: "merge_conflict" });
  expect((await work.call(["load", "--resume"])).stdout).toContain("The blocker needs a person: ");
  await work.git(...end);
  const { stdout } = await work.call(["load", "--resume"]);
  expect(stdout.split("\n")[0]).toBe("No file is in conflict any more, and the blocker is cleared.");
  expect((await work.state()).blocker).toBe(null);
});

it("says why the branch does not go forward where an ignored file is in the way", async () => {
  await using work = await openWork();
  await work.addRemote();
  await work.call(["save"]);
  await work.write({ "new.txt": "theirs\n" });
  await work.git("add", "new.txt");
  await work.git("commit", "-qm", "theirs");
  await work.git("push", "-q");
  await work.git("reset", "-q", "--hard", "HEAD~1");
  await work.write({ ".git/info/exclude": "/new.txt\n/.claude/\n", "new.txt": "mine\n" });
  const { stdout } = await work.call(["load", "--resume"]);
  const [line] = stdout.split("\n");
  expect(line).toMatch(/^The branch did not go forward to its upstream\. Git says: .*new\.txt/);
});

it("says how a branch is brought back that was deleted", async () => {
  await using work = await openWork();
  await work.git("checkout", "-q", "-b", "side");
  await work.write({ "a.txt": "changed\n" });
  await work.call(["save"]);
  await work.git("checkout", "-q", "main");
  await work.git("branch", "-q", "-D", "side");
  const { code, stdout } = await work.call(["load", "--resume"]);
  expect([code, stdout.split("\n")[0], stdout.trimEnd().split("\n").at(-1)]).toEqual([
    0,
    "The work tree is left as it is: there is no such branch here.",
    "This is the wrong branch, and the task waits. Fetch it or bring it back with `git branch side <commit>`, and run `carryon load --resume` again.",
  ]);
});
