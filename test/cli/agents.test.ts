import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openGated } from "../support/gates/gated-cli.ts";

const forPeople = [
  ["check", "allow", "test", "--yes", "--", "sh", "-c", "echo x > app.js"],
  ["check", "revoke", "test"],
  ["recovery", "allow", "dependency", "--yes", "--", "rm", "-rf", "x"],
  ["recovery", "revoke", "dependency"],
  ["trust"],
  ["trust", "--revoke"],
  ["uninit", "--yes"],
];

const signs = {
  CLAUDECODE: "1",
  CLAUDE_CODE_ENTRYPOINT: "cli",
  CLAUDE_CODE_SESSION_ID: "s1",
  CARRYON_SESSION: "s1",
};

/** Returns all that a person has decided. */
async function decided(folder: string) {
  const texts = ["approvals.json", "trust.json"].map((name) =>
    readFile(join(folder, "home", name), "utf8").catch(() => ""),
  );
  return Promise.all(texts);
}

describe("an agent that runs carryon", () => {
  it.each(forPeople)("is refused what a person has to decide: %s %s %s", async (...args) => {
    await using carryon = await openGated();
    const before = await decided(carryon.folder);
    for (const env of [
      ...Object.entries(signs).map(([name, value]) => ({ [name]: value })),
      { CLAUDECODE: "" },
    ]) {
      const { code, stderr } = await carryon.call([...args], { env });
      expect([env, code, stderr]).toEqual([
        env,
        2,
        expect.stringMatching(
          /^carryon: Only a person .*, and an agent runs this command\.\n {2}Run the same/,
        ),
      ]);
    }
    expect(await decided(carryon.folder)).toEqual(before);
    // A person may.
    expect((await carryon.call([...args])).code).toBe(0);
  });

  it("is known by the process that it comes from, whatever the environment says", async () => {
    await using carryon = await openGated();
    await carryon.live("s1", { ppid: process.ppid });
    const said = await carryon.call(["trust", "--revoke"]);
    expect(said.stderr).toContain("Only a person says which projects are trusted");
  });

  it("cannot trust a project by setting it up, and may look at what would be done", async () => {
    await using carryon = await openGated({ trust: false });
    const env = { CLAUDECODE: "1" };
    const said = await carryon.call(["init", "--yes", "--no-import"], { env });
    expect([said.code, said.stderr]).toEqual([
      2,
      expect.stringContaining("Only a person says that a project is trusted"),
    ]);
    for (const args of [["init", "--dry-run"], ["uninit", "--dry-run"], ["trust", "--list"], ["check"]])
      expect((await carryon.call(args, { env })).code).toBe(0);
    expect(await decided(carryon.folder)).toEqual(["", ""]);
  });
});
