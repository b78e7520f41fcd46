import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, lstat, mkdir, readdir, readFile, readlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { classifyCommand } from "../../src/gates/classify-command.ts";
import { readAllCommands } from "../gates/shell/command-table.ts";
import { git, gitEnv, makeRepo } from "../support/git-repo.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

/** Families of which each command that reads may be run: they start nothing that lasts and reach no other machine. */
const runnable = new Set([
  "nothing at all",
  "redirections",
  "pipes",
  "lists and groups",
  "quoting and names",
  "variables",
  "functions and aliases",
  "environment",
  "sed",
  "awk",
  "find",
  "git that looks",
  "git that changes",
  "git that does either",
  "archives",
]);
/** Programs that ask, wait, or are not on every machine. */
const left =
  /\b(?:coproc|select|origin|fd|7z|xz|unzip|crontab|sudo|watch|push|fetch|less|carryon|tty|gunzip)\b/;

const reading = readAllCommands().filter(
  ({ family, verdict, command }) => verdict === "reads" && runnable.has(family) && !left.test(command),
);

const writing = [
  "ls > out.txt",
  "ls >> out.txt",
  "ls >| out.txt",
  "ls &> out.txt",
  "ls <> out.txt",
  "> out.txt",
  "exec > out.txt",
  "cat <<EOF > out.txt\nhello\nEOF",
  "{ ls; pwd; } > out.txt",
  "ls | tee out.txt",
  "echo rm f | sh",
  "r'm' f",
  "$'\\x72m' f",
  "{rm,f}",
  "X=rm; $X f",
  'X="rm -rf"; $X f',
  "echo $(rm f)",
  "f() { rm f; }; f",
  "ls() { rm f; }; ls",
  "trap 'rm f' EXIT",
  "eval 'rm f'",
  "sh -c 'rm f'",
  "bash <<< 'rm f'",
  "env FOO=1 rm f",
  "command rm f",
  "echo f | xargs rm",
  "find . -name f -delete",
  "find . -name f -exec rm {} \\;",
  "find . -fprint out.txt",
  "sed -i.bak s/a/b/ f",
  "sed -n -i.bak p f",
  "sed 'w out.txt' f",
  "sed 's/a/b/w out.txt' f",
  "awk '{print > \"out.txt\"}' f",
  "awk 'BEGIN{system(\"rm f\")}'",
  "sort -o out.txt f",
  "sort f -uo out.txt",
  "uniq f out.txt",
  "dd if=f of=out.txt",
  "split f",
  "tar cf out.tar f",
  "gzip f",
  "touch out.txt",
  "ln -s f g",
  "chmod 700 f",
  "mkdir x",
  "git tag v1",
  "git branch x",
  "git add .",
  "git config user.name x",
  "git diff HEAD --output=out.txt",
  "git -c alias.x='!rm f' x",
  "git branch --list --no-list x",
  "git tag --points-at HEAD --no-points-at v1",
  "git rev-list --output=out.txt HEAD",
  "git log --output=-",
  "git push -n --no-dry-run . HEAD:refs/heads/x",
  "git commit -a --dry-run --no-dry-run -m x",
  "git clean --dry-run --no-dry-run -f",
  "sort --o=out.txt f",
  "sort --random-source -- -o out.txt f",
  "sort -o - f",
];

let template: TempDir;
beforeAll(async () => {
  template = await tempDir();
  await prepare(template);
});
afterAll(() => template[Symbol.asyncDispose]());

/** Commands that are run at the same time before the files are looked at. */
const groupSize = 12;

describe("what bash does with a command", () => {
  it("is nothing to any file where the command is said to read", async () => {
    await using dir = await copyOfTemplate();
    const before = await describeTree(dir.path);
    for (let at = 0; at < reading.length; at += groupSize) {
      const group = reading.slice(at, at + groupSize).map(({ command }) => command);
      await Promise.all(group.map((command) => run(dir, command)));
      expect({ group, tree: await describeTree(dir.path) }).toEqual({ group, tree: before });
    }
    expect(reading.length).toBeGreaterThan(150);
  });

  it.each(writing)("is a change where it is said to write: %s", async (command) => {
    await using dir = await copyOfTemplate();
    const before = await describeTree(dir.path);
    await run(dir, command);
    expect({
      verdict: classifyCommand(command).verdict,
      isChanged: (await describeTree(dir.path)) !== before,
    }).toEqual({ verdict: "writes", isChanged: true });
  });
});

async function copyOfTemplate(): Promise<TempDir> {
  const dir = await tempDir();
  await cp(template.path, dir.path, { recursive: true });
  return dir;
}

/** Makes a repository with a change, and the files that the commands name. */
async function prepare(dir: TempDir): Promise<void> {
  const work = dir.join("work");
  await mkdir(dir.join("home"));
  await mkdir(dir.join("tmp"));
  await makeRepo(work, ["first", "second"]);
  await mkdir(join(work, "src"));
  for (const name of ["f", "a", "b", "in.txt", "package.json", "x.ts", "src/y.ts"])
    await writeFile(join(work, name), "a 1 9\nb 2 8\n");
  await git(work, "add", "f", "a");
  await git(work, "commit", "--quiet", "--message", "files");
  await writeFile(join(work, "f"), "a 1 9\nchanged 3\n");
}

/** Runs a command in a bash of its own; how it ends does not matter. */
function run(dir: TempDir, command: string): Promise<void> {
  const child = spawn("bash", ["-c", command], {
    cwd: dir.join("work"),
    env: {
      ...gitEnv,
      HOME: dir.join("home"),
      TMPDIR: dir.join("tmp"),
    },
    stdio: "ignore",
    timeout: 20_000,
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => resolve());
  });
}

/** Returns a text that changes with any name, mode or content below a folder. */
async function describeTree(folder: string): Promise<string> {
  // Git notes there what it has seen of the files, whenever it looks at them.
  const isNoted = (name: string): boolean => /\.git\/index(?:\.lock)?$/.test(name);
  const names = (await readdir(folder, { recursive: true })).filter((name) => !isNoted(name)).sort();
  const lines = await Promise.all(names.map((name) => describeFile(folder, name)));
  return lines.join("\n");
}

async function describeFile(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const facts = await lstat(path);
  const content = facts.isSymbolicLink() ? await readlink(path) : facts.isFile() ? await readFile(path) : "";
  return `${name} ${facts.mode} ${createHash("sha256").update(content).digest("hex")}`;
}
