import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepo } from "../support/git-repo.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const init = ["init", "--yes", "--no-import"];
const plugin = [...init, "--plugin"];

/** Turns the plugin on in a file of settings, as the client does. */
async function turnOn({ folder }: Carryon, settings = ".claude/settings.json"): Promise<void> {
  const path = join(folder, settings);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, '{ "enabledPlugins": { "session@carryon": true } }\n');
}

const problemsOf = async (carryon: Carryon) =>
  JSON.parse((await carryon.call(["doctor", "--json"])).stdout).problems;

describe("carryon init where the plugin brings the rest", () => {
  it("writes the programs that it runs, trusts the project, and touches nothing of the client's", async () => {
    await using carryon = await openCarryon();
    await makeRepo(join(carryon.folder, "work"), ["first"]);
    await turnOn(carryon);
    expect((await carryon.call(plugin)).stderr).toBe(
      "Carryon records what Claude Code does here from its next start on.\n",
    );
    expect(await readdir(join(carryon.folder, "work"))).toEqual([".git"]);
    expect(await readdir(join(carryon.folder, "home", "bin"))).toEqual(
      expect.arrayContaining(["carryon", "carryon-hook", "carryon-hook.cjs", "carryon.json"]),
    );
    expect((await carryon.call(["trust", "--list"])).stdout).toBe("work <folder>/work\n");
    expect(await carryon.call(plugin)).toEqual({
      ...{ code: 0, stdout: "", stderr: "Carryon is set up here already.\n" },
    });
    expect(await problemsOf(carryon)).toEqual([]);
    expect((await carryon.call(["doctor"])).stdout).toContain("Hooks    of the plugin\n");
    expect((await carryon.call(["status"])).stdout).not.toContain("carryon init");
  });

  it("says that nothing is recorded while the plugin is not on", async () => {
    await using carryon = await openCarryon();
    const { stdout, stderr } = await carryon.call([...plugin, "--scope", "user"]);
    expect(stdout).not.toContain("claude mcp add");
    expect(stderr).toContain(
      "The plugin session@carryon is not on yet, and nothing is recorded until it is.\n",
    );
  });

  it("is what doctor asks for where the plugin has nothing to run", async () => {
    await using carryon = await openCarryon();
    await turnOn(carryon, "work/.claude/settings.local.json");
    expect(await problemsOf(carryon)).toEqual([
      {
        what: "The plugin session@carryon is on in <folder>/work/.claude/settings.local.json and records nothing: <folder>/home/bin/carryon-hook is not there.",
        hint: "Run `carryon init --plugin`.",
      },
    ]);
  });
});

describe("the plugin and hooks of init at once", () => {
  it("are warned of, and told of by doctor", async () => {
    await using carryon = await openCarryon();
    await turnOn(carryon);
    expect((await carryon.call(init)).stderr).toContain(
      "The plugin session@carryon is on in <folder>/.claude/settings.json and brings all of this; `carryon init --plugin` is enough with it.\n",
    );
    expect(await problemsOf(carryon)).toEqual([
      {
        what: "The plugin session@carryon is on in <folder>/.claude/settings.json, and <folder>/work/.claude/settings.local.json has hooks too: they answer, and those of the plugin stand back.",
        hint: "Take the hooks back with `carryon uninit --scope project`, or turn the plugin off with `claude plugin disable session@carryon`.",
      },
    ]);
  });

  it("leave the programs to the plugin when the hooks are taken back", async () => {
    await using carryon = await openCarryon();
    await carryon.call(init);
    await turnOn(carryon);
    expect((await carryon.call(["uninit", "--yes"])).stderr).toBe(
      "What was written here is taken back. What was recorded is still in the store.\n" +
        "The plugin session@carryon is on in <folder>/.claude/settings.json and goes on recording.\n",
    );
    expect((await stat(join(carryon.folder, "home/bin/carryon-hook"))).isFile()).toBe(true);
  });
});
