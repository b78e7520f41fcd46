import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A work tree of many files. */
export interface ManyFiles {
  readonly root: string;
  readonly count: number;
}

/** Nothing that whoever measures has set for git counts. */
export const plainEnv: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  ...{ GIT_AUTHOR_NAME: "Bench", GIT_AUTHOR_EMAIL: "bench@example.com" },
  ...{ GIT_COMMITTER_NAME: "Bench", GIT_COMMITTER_EMAIL: "bench@example.com" },
};

/** Runs git, and throws unless it succeeds. */
export function git(root: string, args: readonly string[], input = ""): void {
  const { status, stderr } = spawnSync("git", args, { cwd: root, env: plainEnv, input });
  if (status !== 0) throw new Error(`git ${args.join(" ")} ended with ${status}: ${stderr}`);
}

/** Makes a repository with so many files in one commit, and returns clones of it, which share nothing that is written. */
export function makeClones(folder: string, count: number, names: readonly string[]): readonly ManyFiles[] {
  mkdirSync(folder, { recursive: true });
  const origin = join(folder, "origin.git");
  git(folder, ["init", "--quiet", "--bare", "--initial-branch=main", origin]);
  // What it packs is made to be read a few times, not to be kept.
  git(origin, ["-c", "pack.compression=0", "fast-import", "--quiet", "--depth=0"], renderImport(count));
  return names.map((name) => {
    git(folder, ["clone", "--quiet", origin, name]);
    return { root: join(folder, name), count };
  });
}

function renderImport(count: number): string {
  const files = Array.from({ length: count }, (_, number) => {
    const text = textOf(number);
    return `M 100644 inline ${pathOf(number)}\ndata ${text.length}\n${text}\n`;
  });
  const committer = "committer Bench <bench@example.com> 1700000000 +0000";
  return `commit refs/heads/main\n${committer}\ndata 5\nfirst\n${files.join("")}`;
}

const [filesInFolder, foldersInPackage] = [20, 25];

/** Packages of folders of a few files each, as in a large repository. */
function pathOf(number: number): string {
  const folder = Math.floor(number / filesInFolder);
  const area = Math.floor(folder / foldersInPackage);
  return `packages/area-${area}/src/part-${folder % foldersInPackage}/file-${number % filesInFolder}.ts`;
}

/** Returns source code that no other file has: about 2.5 KB. */
function textOf(number: number): string {
  const lines = Array.from(
    { length: 12 + (number % 41) },
    (_, line) => `export const value${line} = compute("${number}-${line}", { retries: ${number % 13} });\n`,
  );
  return `import { compute } from "../compute.ts";\n\n${lines.join("")}`;
}

/** Changes files all over the work tree and adds some, as a stretch of work does; a round is done once. */
export function doWork(
  { root, count }: ManyFiles,
  { round, changed, added }: { readonly round: number; readonly changed: number; readonly added: number },
): void {
  for (let each = 0; each < changed; each += 1) {
    const number = (round * 31 + Math.floor((each * count) / changed)) % count;
    appendFileSync(join(root, pathOf(number)), `export const round${round} = ${each};\n`);
  }
  for (let each = 0; each < added; each += 1) {
    const path = join(root, "packages", `area-${each}`, "src", `new-${round}`, "file.ts");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, textOf(count + round * added + each));
  }
}

/** Begins the repository anew, with an empty commit: all of its files are new in it. */
export function beginAnew({ root }: ManyFiles): void {
  for (const name of [".git", ".claude"]) rmSync(join(root, name), { recursive: true, force: true });
  git(root, ["init", "--quiet", "--initial-branch=main"]);
  git(root, ["commit", "--quiet", "--allow-empty", "--message=first"]);
}
