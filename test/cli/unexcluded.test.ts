import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRepo } from "../support/git-repo.ts";
import { openCarryon } from "../support/run-carryon.ts";

const folder = "<folder>/work/.claude/sdd/handover";
const warning =
  "Git may show .claude/sdd/handover unless you add `/.claude/sdd/handover/` to .gitignore: <folder>/work/.git/info/exclude may not be written.\n";

it("documents are written where git cannot be told to leave them out, and each command says so once", async () => {
  await using carryon = await openCarryon();
  const work = join(carryon.folder, "work");
  await makeRepo(work, ["first"]);
  const list = join(work, ".git", "info", "exclude");
  await chmod(list, 0o444);
  const before = await readFile(list, "utf8");
  const fields = ["--context", "c", "--decision", "d", "--reason", "r", "--impact", "i"];
  expect(await carryon.call(["decide", "user-decision", "x", ...fields])).toEqual({
    ...{ code: 0, stdout: "D1\n" },
    stderr: `${warning}Written to ${folder}/decisions.md\n`,
  });
  const origin = ["--spec", "login", "--role", "Builder", "--task", "2"];
  expect(await carryon.call(["note", "pattern", "api: a", ...origin])).toEqual({
    ...{ code: 0, stdout: "[PATTERN] api: a (source: login Builder, task 2)\n" },
    stderr: `${warning}Written to ${folder}/buffer.md\n`,
  });
  const { stderr, stdout } = await carryon.call(["handover", "draft", "--json"]);
  expect([stderr, JSON.parse(stdout).path]).toEqual([warning, `${folder}/session.md`]);
  expect((await carryon.call(["decisions"])).stderr).toBe("");
  expect(await readFile(list, "utf8")).toBe(before);
});
