import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWork } from "../support/work-project.ts";

describe("carryon check and carryon recovery", () => {
  it("approve, list and revoke commands of this project", async () => {
    await using work = await openWork();
    expect(await work.call(["check"])).toEqual({
      ...{ code: 0, stdout: "", stderr: "No command is approved in this project.\n" },
    });
    const test = ["npm", "test", "--", "--run", "a b"];
    expect(await work.call(["check", "allow", "test", "--yes", "--", ...test])).toEqual({
      ...{ code: 0, stdout: "", stderr: "Approved in this project for test: npm test -- --run 'a b'\n" },
    });
    await work.call(["recovery", "allow", "dependency", "--yes", "--", "npm", "ci"]);
    expect((await work.call(["check", "allow", "test", "--yes", "--", ...test])).stderr).toBe(
      "This was approved already for test: npm test -- --run 'a b'\n",
    );
    expect(await work.call(["check", "list"])).toEqual({
      ...{ code: 0, stdout: "test  npm test -- --run 'a b'\n", stderr: "" },
    });
    expect(await work.json("check")).toMatchObject({ approvals: [{ name: "test", command: test }] });
    expect((await work.call(["recovery"])).stdout).toBe("dependency  npm ci\n");
    expect((await work.call(["check", "allow", "test", "--yes", "--", "make", "test"])).stderr).toBe(
      "Approved in this project for test: make test\nUntil now it was: npm test -- --run 'a b'\n",
    );
    expect((await work.call(["check", "revoke", "test"])).stderr).toBe(
      "No command is approved for test any more.\nUntil now it was: make test\n",
    );
    expect((await work.call(["check", "revoke", "test"])).stderr).toBe("Nothing was approved for test.\n");
    expect((await work.call(["check"])).stdout).toBe("");
    expect((await work.call(["recovery"])).stdout).toBe("dependency  npm ci\n");
  });

  it("are kept in the home of the user, for nobody else to read, and count in no other project", async () => {
    await using work = await openWork();
    await work.call(["check", "allow", "build", "--yes", "--", "make"]);
    const path = join(work.folder, "home/approvals.json");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(path, "utf8")).approvals).toMatchObject([
      { name: "build", command: ["make"] },
    ]);
    await work.write({ "../other/a.txt": "a\n" });
    expect((await work.call(["check"], {}, join(work.folder, "other"))).stdout).toBe("");
  });

  it("take a person at a terminal, or one who says yes", async () => {
    await using work = await openWork();
    expect(await work.call(["check", "allow", "test", "--", "npm", "test"])).toMatchInlineSnapshot(`
      {
        "code": 2,
        "stderr": "carryon: Only a person approves a command, and there is none at a terminal here.
        Run \`carryon check allow\` in a terminal yourself, or add --yes in a script of your own.
      ",
        "stdout": "",
      }
    `);
    expect((await work.answer(["check", "allow", "test", "--", "npm", "test"], {})).code).toBe(0);
    const env = { PATH: process.env.PATH, ...work.env, CLAUDECODE: "1" };
    expect((await work.answer(["check", "allow", "build", "--", "make"], {}, { env })).code).toBe(2);
    expect((await work.call(["check"])).stdout).toBe("test  npm test\n");
  });

  it.each([
    { args: ["check", "allow"], said: "Say what to allow." },
    { args: ["check", "allow", "lint", "--", "x"], said: "build, test" },
    { args: ["check", "allow", "test", "--yes"], said: "This is no command that can be run" },
    { args: ["check", "revoke", "test", "--", "x"], said: "takes no command" },
    { args: ["recovery", "allow", "--yes"], said: "Say what to allow." },
    { args: ["recovery", "allow", "builderror", "--", "x"], said: "Did you mean build_error?" },
    { args: ["recovery", "revoke", "other", "--", "x"], said: "takes no command" },
  ])("refuse $args", async ({ args, said }) => {
    await using work = await openWork();
    const { code, stderr } = await work.call(args);
    expect([code, stderr.includes(said) ? said : stderr]).toEqual([2, said]);
  });

  it("show no control characters of a command", async () => {
    await using work = await openWork();
    await work.call(["check", "allow", "test", "--yes", "--", "echo", "\u001b[31mred"]);
    expect((await work.call(["check"])).stdout).not.toContain("\u001b");
  });
});
