/** Says which tests two lists differ in: `node scripts/compare-test-names.ts BEFORE AFTER`, each a revision or the JSON of `vitest list`. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/** A test as `vitest list --json` names it. */
type Listed = { readonly name: string; readonly projectName: string };

/** Returns a line a test that was added, removed, or moved to another project; a test that only changed its file is the same. */
export function compareTestNames(before: readonly Listed[], after: readonly Listed[]): readonly string[] {
  const [gone, come] = [subtract(before, after), subtract(after, before)];
  const lines = gone.map(({ name, projectName }) => {
    const at = come.findIndex((each) => each.name === name);
    const [moved] = at === -1 ? [] : come.splice(at, 1);
    return moved === undefined
      ? `- ${projectName}: ${name}`
      : `> ${projectName} to ${moved.projectName}: ${name}`;
  });
  return [...lines, ...come.map(({ name, projectName }) => `+ ${projectName}: ${name}`)].toSorted();
}

/** Returns the tests of one list that the other one has not, or not as often. */
function subtract(from: readonly Listed[], others: readonly Listed[]): Listed[] {
  const keyOf = ({ name, projectName }: Listed) => `${projectName} ${name}`;
  const counts = new Map<string, number>();
  for (const each of others) counts.set(keyOf(each), (counts.get(keyOf(each)) ?? 0) + 1);
  return from.filter((each) => {
    const left = counts.get(keyOf(each)) ?? 0;
    counts.set(keyOf(each), left - 1);
    return left <= 0;
  });
}

const readList = (given: string): readonly Listed[] =>
  JSON.parse(existsSync(given) ? readFileSync(given, "utf8") : listRevision(given));

/** Lists the tests of a revision in a work tree of its own, with the packages that are installed here. */
function listRevision(revision: string): string {
  const folder = mkdtempSync(join(tmpdir(), "test-names-"));
  const [tree, list] = [join(folder, "tree"), join(folder, "list.json")];
  try {
    execFileSync("git", ["worktree", "add", "--quiet", "--detach", tree, revision]);
    symlinkSync(resolve("node_modules"), join(tree, "node_modules"));
    execFileSync("vitest", ["list", `--json=${list}`, "--staticParse=false"], { cwd: tree, stdio: "ignore" });
    return readFileSync(list, "utf8");
  } finally {
    execFileSync("git", ["worktree", "remove", "--force", tree]);
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const [before = [], after = []] = process.argv.slice(2).map(readList);
  for (const line of compareTestNames(before, after)) console.log(line.replaceAll(/\s+/g, " "));
}
