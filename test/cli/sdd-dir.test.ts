import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { git, makeRepo } from "../support/git-repo.ts";
import { writeConfig } from "../support/on-server.ts";
import { openCarryon } from "../support/run-carryon.ts";

const folder = "<folder>/work/docs/my sdd";
const decision = [
  ...["decide", "user-decision", "Use SQLite", "--context", "a store", "--decision", "SQLite"],
  ...["--reason", "nothing to set up", "--impact", "none"],
];
const origin = ["--spec", "login", "--role", "Builder", "--task", "2"];

it("sddDir of config.yaml is where every command has the documents", async () => {
  await using carryon = await openCarryon();
  const work = join(carryon.folder, "work");
  await makeRepo(work, ["first"]);
  await mkdir(join(work, ".sdd"));
  await writeConfig(carryon, "sddDir: docs/my sdd\n");
  const ask = async (...args: readonly string[]) =>
    JSON.parse((await carryon.ask([...args, "--json"])).replaceAll(carryon.folder, "<folder>"));
  expect((await carryon.run(decision)).stderr).toBe(`Written to ${folder}/handover/decisions.md\n`);
  for (const text of ["api: a", "api: b"]) await ask("note", "pattern", text, ...origin);
  expect([
    await ask("handover", "draft"),
    (await ask("decisions")).decisions,
    await ask("note", "candidates"),
    (await ask("note", "flush")).files,
    (await ask("handover", "--history")).versions,
    (await ask("doctor")).problems,
    await ask("note", "candidates", "--dismiss", "api"),
    (await ask("brief")).parts,
  ]).toEqual([
    { path: `${folder}/handover/session.md`, changed: true, problems: [], unlistedFiles: 0 },
    [expect.objectContaining({ seq: 1, summary: "Use SQLite" })],
    { candidates: [{ name: "api", specs: ["login"], occurrences: 2 }] },
    ["a", "b"].map((name) => `${folder}/project/knowledge/pattern-api-${name}.md`),
    [expect.objectContaining({ origin: "written" })],
    [],
    { dismissed: "api" },
    expect.arrayContaining([
      expect.objectContaining({ name: "Latest decisions", text: expect.stringContaining("Use SQLite") }),
    ]),
  ]);
  expect(await readdir(join(work, ".sdd"))).toEqual([]);
  expect(await readdir(work)).toEqual([".git", ".sdd", "docs"]);
  expect(await git(work, "status", "--porcelain", "--untracked-files=all")).toBe(
    [
      '?? "docs/my sdd/project/knowledge/pattern-api-a.md"',
      '?? "docs/my sdd/project/knowledge/pattern-api-b.md"',
    ].join("\n"),
  );
});

it("sddDir is where a brief finds documents of others, before anything is recorded", async () => {
  await using carryon = await openCarryon();
  await writeConfig(carryon, "sddDir: docs\n");
  const handover = join(carryon.folder, "work", "docs", "handover");
  await mkdir(handover, { recursive: true });
  await writeFile(
    join(handover, "decisions.md"),
    "[2026-11-16T09:12:44+09:00] D1: USER_DECISION | theirs\n- Context: x\n",
  );
  const { parts } = JSON.parse(await carryon.ask(["brief", "--json"]));
  expect(parts.map(({ name }: { name: string }) => name)).toEqual(["First session", "From outside"]);
});

it("sddDir is looked at by the doctor, too, and one that is wrong stops the commands that write there", async () => {
  await using carryon = await openCarryon();
  await writeConfig(carryon, "sddDir: docs\n");
  await carryon.ask(decision);
  const path = join(carryon.folder, "work", "docs", "handover", "decisions.md");
  await writeFile(path, "gone\n");
  const { code, stdout } = await carryon.call(["doctor", "--json"]);
  expect({ code, problems: JSON.parse(stdout).problems }).toEqual({
    code: 74,
    problems: [expect.objectContaining({ what: expect.stringContaining("docs/handover/decisions.md") })],
  });
  await writeConfig(carryon, "# mine\nsddDir: /docs\n");
  const refused = {
    ...{ code: 3, stdout: "" },
    stderr:
      "carryon: <folder>/home/config.yaml, line 2: sddDir is not a folder inside a project: it does not begin at the top of the project.\n" +
      "  Write a line such as `sddDir: docs/sdd`; it is a folder inside each project.\n",
  };
  for (const args of [decision, ["decisions"], ["note", "candidates"], ["handover", "draft"]])
    expect(await carryon.call(args)).toEqual(refused);
  const [first = ""] = refused.stderr.replace("carryon: ", "").split("\n");
  expect(await carryon.call(["doctor"])).toMatchObject({ code: 74, stdout: expect.stringContaining(first) });
});
