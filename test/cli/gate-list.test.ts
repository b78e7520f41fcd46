import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGated } from "../support/gates/gated-cli.ts";
import { git } from "../support/git-repo.ts";

const one = "11111111-1111-4111-8111-111111111111";

describe("carryon gate list", () => {
  it("lists all gates, those that are off too", async () => {
    await using carryon = await openGated();
    expect((await carryon.call(["gate", "list"])).stdout).toMatchInlineSnapshot(`
      "GATE         ON   TYPE      SCOPE       WHAT IT IS
      commit_plan  yes  blocking  session
      reviewed     yes  blocking  branch
      each_commit  yes  blocking  single_use
      not_main     yes  guard     session
      size         yes  dynamic   session
      idle         no   blocking  session     One that is off
      "
    `);
    const { gates } = JSON.parse((await carryon.call(["gate", "list", "--json"])).stdout);
    expect(gates.slice(0, 3)).toMatchInlineSnapshot(`
      [
        {
          "checklist": [],
          "description": null,
          "enabled": true,
          "message": null,
          "name": "commit_plan",
          "scope": "session",
          "skills": [
            "plan-review",
            "arch-review",
          ],
          "stop_only": false,
          "trigger_tools": [
            {
              "command_pattern": null,
              "tool": "Edit",
            },
            {
              "command_pattern": null,
              "tool": "Write",
            },
            {
              "command_pattern": null,
              "tool": "MultiEdit",
            },
            {
              "command_pattern": null,
              "tool": "NotebookEdit",
            },
          ],
          "type": "blocking",
        },
        {
          "checklist": [],
          "description": null,
          "enabled": true,
          "message": null,
          "name": "reviewed",
          "scope": "branch",
          "skills": [],
          "stop_only": false,
          "trigger_tools": [
            {
              "command_pattern": null,
              "tool": "Edit",
            },
            {
              "command_pattern": null,
              "tool": "Write",
            },
            {
              "command_pattern": null,
              "tool": "MultiEdit",
            },
            {
              "command_pattern": null,
              "tool": "NotebookEdit",
            },
          ],
          "type": "blocking",
        },
        {
          "checklist": [],
          "description": null,
          "enabled": true,
          "message": null,
          "name": "each_commit",
          "scope": "single_use",
          "skills": [],
          "stop_only": false,
          "trigger_tools": [
            {
              "command_pattern": "git commit",
              "tool": "Bash",
            },
          ],
          "type": "blocking",
        },
      ]
    `);
  });

  it("says how to begin where there is none", async () => {
    await using carryon = await openGated({ gates: "" });
    expect(await carryon.call(["gate", "list"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "No gate is written down; begin with `carryon gate init`.\n",
    });
  });
});

describe("carryon gate sessions", () => {
  it("lists the sessions that live", async () => {
    await using carryon = await openGated();
    expect((await carryon.call(["gate", "sessions"])).stderr).toBe("No session is known to live.\n");
    await carryon.live(one);
    await carryon.live("plain", { branch: "main" });
    expect((await carryon.call(["gate", "sessions"])).stdout).toMatchInlineSnapshot(`
      "SESSION   BRANCH        ACTIVE    PROJECT
      11111111  feature/plan  just now  <folder>/work
      plain     main          just now  <folder>/work
      "
    `);
    const { sessions } = JSON.parse((await carryon.call(["gate", "sessions", "--json"])).stdout);
    expect(sessions[0]).toEqual({
      session: "11111111",
      ppid: process.pid,
      project_dir: "<folder>/work",
      branch: "feature/plan",
      started_at: "<time>",
      last_active: "<time>",
    });
  });
});

describe("carryon gate explain", () => {
  it("takes one word for a command line, and several for the words of one command", async () => {
    await using carryon = await openGated();
    const explain = async (...words: readonly string[]) =>
      (await carryon.call(["gate", "explain", "--", ...words])).stdout;
    expect(await explain("ls > list")).toBe('{"verdict":"writes","why":"`> list` writes a file."}\n');
    expect(await explain("ls", "> list")).toBe('{"verdict":"reads","why":"`ls` only reads."}\n');
    expect(JSON.parse(await explain("sed", "-i", "s/a/b/", "x")).verdict).toBe("writes");
    expect(JSON.parse(await explain("./build.sh")).verdict).toBe("unknown");
  });
});

describe("carryon gate prune", () => {
  it("removes what is kept of branches and sessions that are gone", async () => {
    await using carryon = await openGated();
    await git(carryon.root, "branch", "gone/one");
    for (const branch of ["gone/one", "feature/plan", "main"])
      await carryon.call(["gate", "satisfy", "reviewed", "--branch", branch]);
    await carryon.live(one);
    const path = join(carryon.folder, ".claude", "sessions.json");
    const registry = JSON.parse(await readFile(path, "utf8"));
    registry.sessions.dead = { pid: 1, ppid: 2 ** 22 + 1, project_dir: carryon.root, branch: "main" };
    await writeFile(path, JSON.stringify(registry));
    await git(carryon.root, "branch", "--quiet", "-D", "gone/one");
    expect((await carryon.call(["gate", "prune"])).stderr).toBe(
      "Removed what was kept of 1 branch: gone/one, and 1 session from the list of those that live.\n",
    );
    expect((await carryon.call(["gate", "prune", "--json"])).stdout).toBe('{"branches":[],"sessions":0}\n');
    expect([await carryon.state("gone-one.json"), await carryon.state("main.json")]).toEqual([
      undefined,
      expect.anything(),
    ]);
  });
});
