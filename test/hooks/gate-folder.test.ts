import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeHeldRules } from "../../src/gates/held/held-rules.ts";
import { findPathWords } from "../../src/hooks/find-path-words.ts";
import { chooseGateFolders } from "../../src/hooks/gate-folder.ts";
import { configOf } from "../support/gates/gates.ts";
import { makeRepo } from "../support/git-repo.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const rules = {
  branch: "main",
  trusted: true,
  trustList: null,
  repository: null,
  key: "",
  config: configOf([]),
};

/** Two repositories with gates, and a folder that is none. */
async function openFolders(dir: TempDir) {
  const [home, clientFolder] = [dir.join("home"), dir.join("client")];
  for (const folder of [clientFolder, dir.join("plain")]) mkdirSync(folder);
  for (const name of ["shop", "till"]) {
    await makeRepo(dir.join(name), ["first"]);
    for (const folder of ["src", ".claude"]) mkdirSync(dir.join(name, folder));
    writeFileSync(dir.join(name, ".claude", "requirements.yaml"), "");
  }
  const choose = (more: object, cwd = dir.join("shop", "src"), env = {}) =>
    chooseGateFolders({ hook_event_name: "PreToolUse", session_id: "s1", ...more }, cwd, {
      ...{ home, clientFolder, env, userHome: dir.path },
    }).map(({ folder, watches }) => `${folder.slice(dir.path.length)} ${watches}`);
  return { home, clientFolder, choose };
}

const bash = (command: string) => ({ tool_name: "Bash", tool_input: { command } });

it("asks the gates of a work tree that a session is held to, also when their files are gone", async () => {
  await using dir = await tempDir();
  const { home, choose } = await openFolders(dir);
  const file = dir.join("shop", ".claude", "requirements.yaml");
  expect(choose({})).toEqual(["/shop/src all"]);
  rmSync(file);
  expect(choose({})).toEqual([]);
  writeHeldRules({ home, session: "s1", root: dir.join("shop") }, rules);
  expect(choose({})).toEqual(["/shop/src all"]);
  expect(choose({ session_id: "another" })).toEqual([]);
  expect(choose({}, dir.path)).toEqual([]);
});

describe("a command meets the gates", () => {
  it("of every repository that it may write to, those elsewhere for what it writes", async () => {
    await using dir = await tempDir();
    const { choose } = await openFolders(dir);
    const [shop, till] = ["/shop/src all", "/till"];
    expect(choose(bash("echo x > f"))).toEqual([shop]);
    expect(choose(bash(`echo x > ${dir.join("till", "src", "f")}`))).toEqual([shop, `${till}/src writes`]);
    expect(choose(bash("cd ../../till && echo x > f"))).toEqual([shop, `${till} writes`]);
    expect(choose(bash("echo x > ~/till/new/deep/f"))).toEqual([shop, `${till} writes`]);
    expect(choose(bash("cp f ../g /usr/bin/"))).toEqual([shop]);
    // Whether the file is there yet makes no difference.
    writeFileSync(dir.join("till", "f"), "");
    expect(choose(bash(`python3 -c "open('${dir.join("till", "f")}', 'w')"`))).toEqual([
      shop,
      `${till} writes`,
    ]);
    expect(choose(bash("echo x > ../../till/f/none"))).toEqual([shop, `${till} writes`]);
    expect(choose(bash("sed -i s/a/b/ ./../../till/f"))).toEqual([shop, `${till} writes`]);
    expect(choose({ ...bash("echo /till"), tool_name: "Read" })).toEqual([shop]);
  });

  it.each([
    "echo x > .trees/one/f",
    "cd .trees/one && make",
    "cp f '.trees/one/new/deep/f'",
    "sh -c 'echo x>.trees/../.trees/one/f'",
  ])("of a work tree inside of the one that it runs in: %s", async (command) => {
    await using dir = await tempDir();
    const { choose } = await openFolders(dir);
    const tree = dir.join("shop", ".trees", "one");
    mkdirSync(join(tree, ".claude"), { recursive: true });
    for (const file of [".git", ".claude/requirements.yaml"]) writeFileSync(join(tree, file), "");
    expect(choose(bash(command), dir.join("shop"))).toEqual(["/shop all", "/shop/.trees/one writes"]);
    expect(choose(bash("echo x > .trees/f one two"), dir.join("shop"))).toEqual(["/shop all"]);
  });

  it("of the project that the session was begun in, wherever it has gone", async () => {
    await using dir = await tempDir();
    const { choose, clientFolder } = await openFolders(dir);
    const begun = { CLAUDE_PROJECT_DIR: dir.join("shop") };
    expect(choose(bash("make"), dir.join("till"), begun)).toEqual(["/till all", "/shop writes"]);
    expect(choose(bash("make"), dir.join("plain"), begun)).toEqual(["/shop all"]);
    // Gates of the user are in every repository, and nowhere else.
    writeFileSync(join(clientFolder, "requirements.yaml"), "");
    expect(choose(bash("make"), dir.join("plain"), begun)).toEqual(["/shop all"]);
    expect(choose(bash("make"), dir.join("plain"))).toEqual([]);
  });

  it("and so does a stop, of each in which the session has met some", async () => {
    await using dir = await tempDir();
    const { home, choose } = await openFolders(dir);
    for (const root of ["shop", "till"]) writeHeldRules({ home, session: "s1", root: dir.join(root) }, rules);
    expect(choose({ hook_event_name: "Stop" })).toEqual(["/shop/src all", "/till writes"]);
    expect(choose(bash("make"))).toEqual(["/shop/src all", "/till writes"]);
    expect(choose({ tool_name: "Edit", tool_input: { file_path: dir.join("shop/f") } })).toEqual([
      "/shop/src all",
    ]);
  });
});

it.each([
  { command: "ls src/a; echo 1/2", words: [] },
  { command: "cat /etc/hosts>/tmp/x", words: ["/etc/hosts", "/tmp/x"] },
  { command: "cd ..; cd ../b && X=/x/y make", words: ["/work", "/work/b", "/x/y"] },
  { command: `tee "$HOME/a" '\${HOME}/b' ~/c`, words: ["/me/a", "/me/b", "/me/c"] },
  { command: "curl https://example.org/a", words: ["/example.org/a"] },
])("finds the paths that lead elsewhere in: $command", ({ command, words }) => {
  expect(findPathWords(command, { cwd: "/work/here", userHome: "/me" })).toEqual(words);
});
