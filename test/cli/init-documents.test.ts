import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";
import { tempDir } from "../support/temp-dir.ts";
import { testContext } from "../support/test-context.ts";

const init = ["init", "--yes", "--no-import"];

async function openRepo(): Promise<Carryon> {
  const carryon = await openCarryon();
  await makeRepo(join(carryon.folder, "work"), ["first"]);
  return carryon;
}

const shown = ({ folder }: Carryon) => git(join(folder, "work"), "status", "--porcelain", "-uall");

const told = "Carryon records what Claude Code does here from its next start on.\n";
const committed = ["?? .claude/sdd/handover/session.md"].join("\n");

describe("where the documents of the handover live", () => {
  it("is out of commits unless told", async () => {
    await using carryon = await openRepo();
    await carryon.call(init);
    await carryon.ask(["handover", "draft"]);
    expect(await shown(carryon)).toBe("");
  });

  it("is in commits if the user says so, also later, and out of them again", async () => {
    await using carryon = await openRepo();
    const { stdout } = await carryon.call([...init, "--documents", "committed"]);
    expect(stdout).toContain("The handover documents will be committed with the project.\n");
    await carryon.ask(["handover", "draft"]);
    expect(await shown(carryon)).toBe(committed);
    expect((await carryon.call([...init, "--documents", "private"])).stderr).toBe(told);
    expect(await shown(carryon)).toBe("");
    await carryon.call([...init, "--documents", "committed"]);
    expect(await shown(carryon)).toBe(committed);
  });

  it("leaves no folder behind where nothing was written", async () => {
    await using carryon = await openRepo();
    await carryon.call([...init, "--documents", "committed"]);
    await carryon.call(["uninit", "--yes"]);
    expect(await readdir(join(carryon.folder, "work"))).toEqual([".git"]);
  });

  it.each([
    { answer: true, excluded: false },
    { answer: false, excluded: true },
  ])("is asked on a terminal while there are none: $answer", async ({ answer, excluded }) => {
    await using dir = await tempDir();
    await makeRepo(dir.path, ["first"]);
    const asked: string[] = [];
    const context = testContext(dir.path, {
      isTerminal: { input: true, output: true, error: true },
      confirm: async (question) => {
        asked.push(question);
        return question === "Write this?" || answer;
      },
    });
    expect(await runCli(["init", "--no-import"], context)).toBe(0);
    const question = "Commit the handover documents in .claude/sdd/handover? No keeps them out of commits.";
    expect(asked).toEqual(["Write this?", question]);
    expect(await runCli(["handover", "draft"], context)).toBe(0);
    const list = await readFile(dir.join(".git/info/exclude"), "utf8");
    expect(list.includes("/.claude/sdd/handover/\n")).toBe(excluded);
    expect(await runCli(["init", "--no-import"], context)).toBe(0);
    expect(asked).toHaveLength(2);
  });

  it("counts as chosen where a folder of them is tracked", async () => {
    await using carryon = await openRepo();
    const work = join(carryon.folder, "work");
    await carryon.ask(["handover", "draft"]);
    await git(work, "add", "--force", ".claude/sdd/handover/session.md");
    await carryon.call(init);
    await carryon.ask(["handover", "draft", "--done", "more"]);
    expect(await shown(carryon)).toBe("AM .claude/sdd/handover/session.md");
    expect((await carryon.call([...init, "--documents", "private"])).stderr).toBe(
      `Git tracks what is in .claude/sdd/handover; \`git rm --cached\` takes it out of the next commit.\n${told}`,
    );
  });
});
