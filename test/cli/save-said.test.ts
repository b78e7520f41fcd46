import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hook } from "../support/save-repo.ts";
import { openWork } from "../support/work-project.ts";

describe("carryon save", () => {
  it.each([
    { args: ["-m", ""], name: "message" },
    { args: ["--next", "its tests", "--next", "  "], name: "next" },
    { args: ["--new", ""], name: "new" },
    { args: ["--done", " "], name: "done" },
    { args: ["--todo", ""], name: "todo" },
  ])("refuses $args, and saves nothing", async ({ args, name }) => {
    await using work = await openWork();
    await work.write({ "new.txt": "new\n" });
    expect(await work.call(["save", ...args])).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: `carryon: --${name} needs words.\n  Say it in a few words, or leave the option out.\n`,
    });
    await expect(work.state()).rejects.toThrow("ENOENT");
    expect(await work.git("log", "--format=%s")).toBe("first");
  });

  it("refuses a change that there is not, names those that there are, and saves nothing", async () => {
    await using work = await openWork();
    for (const id of ["add-login", "add-logout"])
      await work.write({ [`openspec/changes/${id}/tasks.md`]: "- [ ] form\n" });
    expect(await work.call(["save", "--openspec", "add-logn"])).toEqual({
      ...{ code: 2, stdout: "" },
      stderr: "carryon: There is no change add-logn in openspec.\n  There are: add-login, add-logout.\n",
    });
    await expect(work.state()).rejects.toThrow("ENOENT");
    expect(await work.git("log", "--format=%s")).toBe("first");
  });

  it("says that tasks are not taken from options where a change has them", async () => {
    await using work = await openWork();
    await work.write({ "openspec/changes/add-login/tasks.md": "- [ ] form\n" });
    expect(await work.call(["save", "--done", "form"])).toMatchObject({
      code: 0,
      stderr: "--done and --todo are not used: the tasks are those in tasks.md of add-login.\n",
    });
    expect(await work.state()).toMatchObject({ completed_tasks: [], pending_tasks: ["form"] });
  });

  it("says in JSON what it says on standard error, and fails with an error that scripts can test for", async () => {
    await using work = await openWork();
    await hook(work.root, "pre-commit", "echo 'not tidy' >&2; exit 1");
    await work.write({ "new.txt": "new\n" });
    const { code, stdout, stderr } = await work.call(["save", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      commit: { outcome: "refused", said: "not tidy" },
      warnings: ["A hook of this repository refused the commit. Nothing was committed:", "  not tidy"],
    });
    const { error } = JSON.parse(stderr.trim().split("\n").at(-1) ?? "");
    expect([code, error.code]).toEqual([75, "commit-refused"]);
  });

  it("pushes what was committed before where a hook refuses, and says that the rest is in no commit", async () => {
    await using work = await openWork();
    await work.addRemote();
    await work.git("switch", "--quiet", "--create", "topic");
    await hook(work.root, "pre-commit", "exit 1");
    await work.write({ "new.txt": "new\n" });
    const { code, stdout, stderr } = await work.call(["save", "--sync"]);
    expect([code, stdout, stderr]).toEqual([
      75,
      expect.stringContaining("no commit: a hook refused it, pushed to origin/topic"),
      expect.stringContaining("carryon: The state of the work is saved, but nothing was committed.\n"),
    ]);
  });

  it("is remembered as refused by load, status and the brief, until a save has committed", async () => {
    await using work = await openWork();
    const lines = Array.from({ length: 7 }, (_, index) => `not tidy ${index}`).join("\\n");
    await hook(work.root, "pre-commit", `printf '${lines}\\n' >&2; exit 1`);
    await work.write({ "new.txt": "new\n" });
    const told = async () => [
      (await work.call(["load"])).stdout,
      (await work.call(["status"])).stdout,
      (await work.call(["brief"])).stdout,
    ];
    await work.call(["save"]);
    const first = [0, 1, 2, 3, 4].map((index) => `not tidy ${index}`);
    expect((await work.state()).commit_refused).toBe(["by a hook:", ...first].join("\n"));
    // A save that wants no commit makes none of what was refused.
    await work.call(["save", "--no-commit"]);
    const [load, status, brief] = await told();
    const said = /^Refused +the commit of the last save was refused by a hook:\n +not tidy 0\n/m;
    expect([load, status]).toEqual([expect.stringMatching(said), expect.stringMatching(said)]);
    expect(brief).toContain("The commit of the last save was refused by a hook:\n  > not tidy 0\n");
    expect((await work.json("load")).state.commit_refused).toContain("not tidy 4");
    await hook(work.root, "pre-commit", "exit 0");
    await work.call(["save"]);
    expect((await told()).join("")).not.toContain("refused");
    expect(await work.state()).not.toHaveProperty("commit_refused");
  });

  it("says that a hook which refused said nothing", async () => {
    await using work = await openWork();
    await hook(work.root, "pre-commit", "exit 1");
    await work.write({ "new.txt": "new\n" });
    expect((await work.call(["save"])).stderr).toContain(
      "A hook of this repository refused the commit. Nothing was committed, and nothing was said about it.\n",
    );
  });

  it("says that the program of a check was not found", async () => {
    await using work = await openWork();
    await work.call(["check", "allow", "test", "--yes", "--", "no-such-program"]);
    const { stderr } = await work.call(["save", "--full"]);
    expect(stderr).toContain(
      "Not all is well: no-such-program could not be started.\n  The program no-such-program was not found.\n",
    );
  });

  it("names files that commits have had before the new ones that it leaves out", async () => {
    await using work = await openWork();
    const names = Array.from({ length: 9 }, (_, index) => `.env.${index}`);
    await work.write(Object.fromEntries(names.map((name) => [name, "A=1\n"])));
    await work.git("add", ...names);
    await work.write({ "src/b.txt": `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}\n` });
    const { stdout } = await work.call(["save"]);
    expect(stdout).toContain("Left out src/b.txt (it holds what looks like a secret");
  });

  it("shows the last lines of a check that failed", async () => {
    await using work = await openWork();
    const lines =
      "i=0; while [ $i -lt 30 ]; do i=$((i+1)); echo \"line $i\"; done; printf '\\033[31mred\\a\\n'; exit 3";
    await work.write({ "../check": `#!/bin/sh\n${lines}\n`, "../no-gh/gh": "#!/bin/sh\nexit 4\n" });
    for (const name of ["check", "no-gh/gh"]) await chmod(join(work.folder, name), 0o755);
    await work.call(["check", "allow", "build", "--yes", "--", "../check"]);
    const PATH = `${join(work.folder, "no-gh")}:${process.env.PATH}`;
    const { code, stderr } = await work.call(["save", "--full"], { PATH });
    const last = Array.from({ length: 14 }, (_, index) => `  line ${index + 17}\n`).join("");
    expect({ code, stderr }).toEqual({
      code: 75,
      stderr:
        `Not all is well: ../check ended with code 3.\n${last}  red^G\n` +
        "carryon: Nothing was pushed: it is not known to which remote.\n" +
        "  The work is saved and committed here. Name one with `git remote add origin ADDRESS`; " +
        "of several, choose with `git config remote.pushDefault NAME`.\n",
    });
  });
});
