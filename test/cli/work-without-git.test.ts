import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openWork } from "../support/work-project.ts";

async function openPlain() {
  const work = await openWork();
  const plain = join(work.folder, "plain");
  await work.write({ "../plain/a.txt": "a\n" });
  return { ...work, call: (...args: readonly string[]) => work.call(args, {}, plain) };
}

it("says that nothing was pushed, after the state is saved", async () => {
  await using work = await openPlain();
  const { code, stdout, stderr } = await work.call("save", "--sync", "-m", "Notes");
  expect([code, stdout.split("\n")[1], stderr]).toEqual([
    75,
    "Work     Notes",
    "carryon: Nothing was pushed: this is no repository.\n" +
      "  The work is saved here. A push needs a repository: make one with `git init`, and name its remote.\n",
  ]);
  const asked = JSON.parse((await work.call("save", "--sync", "--json")).stdout);
  const planned = JSON.parse((await work.call("save", "--sync", "--dry-run", "--json")).stdout);
  expect([asked.push, planned.push]).toEqual([
    { outcome: "no-repository", remote: null, branch: null, said: null },
    {
      ...{ outcome: "no-repository", remote: null, branch: null },
      ...{ default_branch: null, sets_upstream: false },
    },
  ]);
});

it("verifies all the same, and says what was not pushed", async () => {
  await using work = await openPlain();
  await work.call("check", "allow", "test", "--yes", "--", "true");
  const { code, stdout, stderr } = await work.call("save", "--full");
  expect([code, stdout.includes("Test     passed: true\n"), stderr]).toEqual([
    0,
    true,
    "Nothing was pushed: this is no repository.\n",
  ]);
});

it("offers no switch to a branch where there is no repository any more", async () => {
  await using work = await openWork();
  await work.call(["save", "--todo", "form"]);
  await rm(join(work.root, ".git"), { recursive: true });
  const { asked, stdout } = await work.answer(["load"], {});
  expect(asked.split("\n")).toEqual([
    ...["What now?", "  Continue here, and update the state", "  Continue with: form", "  A new task"],
  ]);
  expect(stdout).toContain("BRANCH_MISMATCH: This is no repository, but the work was saved on main.");
});
