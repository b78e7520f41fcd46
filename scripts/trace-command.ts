/**
 * Runs a command of Carryon in a scratch repository, with every function of src/ instrumented, and prints through how many
 * files and folders it went.
 *
 *   node scripts/trace-command.ts [--list] COMMAND [ARGUMENT...]
 *
 * A change of folder is a call in another folder directly in src/ than the call before; `lib` does not count. Arrow
 * functions without a block are not seen. `--list` prints the files in the order of their first call.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = join(import.meta.dirname, "..");
const traceVariable = "CARRYON_TRACE_FILE";

/** Returns a source in which every function with a block says first that it was called. */
export function instrument(text: string, name: string): string {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
  const places: number[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isFunctionLike(node) &&
      "body" in node &&
      node.body !== undefined &&
      ts.isBlock(node.body as ts.Node)
    )
      places.push((node.body as ts.Block).getStart(source) + 1);
    node.forEachChild(visit);
  };
  visit(source);
  const call = `globalThis.__carryonCalled?.(${JSON.stringify(name)});`;
  return places
    .toSorted((one, other) => other - one)
    .reduce((done, place) => `${done.slice(0, place)}${call}${done.slice(place)}`, text);
}

/** What a command went through. */
export interface Walk {
  readonly files: readonly string[];
  readonly fileChanges: number;
  readonly folderChanges: number;
}

/** Measures a walk by the files in which functions were called, in order. */
export function measureWalk(calls: readonly string[]): Walk {
  const folders = calls.map((name) => name.split("/")[0] ?? "").filter((folder) => folder !== "lib");
  return {
    files: [...new Set(calls)],
    fileChanges: countChanges(calls),
    folderChanges: countChanges(folders),
  };
}

function countChanges(names: readonly string[]): number {
  return names.filter((name, at) => at > 0 && name !== names[at - 1]).length;
}

/** Instruments what this process loads from now on, and writes the calls down when it ends. */
function traceHere(file: string): void {
  const calls: string[] = [];
  Object.assign(globalThis, { __carryonCalled: (name: string) => void calls.push(name) });
  registerHooks({
    load: (url, context, next) => {
      const path = url.startsWith("file:") ? relative(join(root, "src"), fileURLToPath(url)) : "..";
      if (path.startsWith("..") || !path.endsWith(".ts")) return next(url, context);
      const source = instrument(readFileSync(fileURLToPath(url), "utf8"), path);
      return { format: "module-typescript", source, shortCircuit: true };
    },
  });
  process.on("exit", () => writeFileSync(file, calls.join("\n")));
}

/** Runs a command where nothing of the user is. */
function run(folder: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): number {
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, TMPDIR: folder, CARRYON_HOME: join(folder, "home") },
    ...{ GIT_CONFIG_GLOBAL: "/dev/null", GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.invalid" },
    ...{ GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.invalid", ...more },
  };
  const loader = traceVariable in more ? ["--import", import.meta.filename] : [];
  const command = [...loader, join(root, "src/cli/main.ts"), ...args];
  const stdio = ["inherit", "ignore", "inherit"] as const;
  return (
    spawnSync(process.execPath, command, { cwd: join(folder, "work"), env, stdio: [...stdio] }).status ?? 1
  );
}

function main(words: readonly string[]): void {
  const args = words[0] === "--list" ? words.slice(1) : words;
  const folder = mkdtempSync(join(tmpdir(), "carryon-trace-"));
  try {
    const work = join(folder, "work");
    execFileSync("git", ["init", "--quiet", "--initial-branch=main", work]);
    writeFileSync(join(work, "a.txt"), "first\n");
    // A home that has been used: its first use is another walk.
    run(folder, ["save"]);
    writeFileSync(join(work, "a.txt"), "second\n");
    const file = join(folder, "calls");
    process.exitCode = run(folder, args, { [traceVariable]: file });
    const { files, fileChanges, folderChanges } = measureWalk(readFileSync(file, "utf8").split("\n"));
    if (args !== words) console.log(files.join("\n"));
    console.log(`${files.length} files, ${fileChanges} changes of file, ${folderChanges} changes of folder`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const traced = process.env[traceVariable];
if (process.argv[1] === import.meta.filename) main(process.argv.slice(2));
else if (traced !== undefined) traceHere(traced);
