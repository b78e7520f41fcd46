import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { restoreTree } from "../../src/work/restore-tree.ts";
import { git } from "../support/git-repo.ts";
import { keep, openFor, readTree, readUntouchables } from "../support/round-trees.ts";
import { repoIn } from "../support/save-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Paths that get in each other's way, some of them ignored. */
const anyPath = fc.constantFrom(
  "a.txt",
  "src/b.txt",
  "src",
  "x",
  "x/y",
  "x/y/z",
  "é ö",
  "-f",
  "out/o",
  "w.log",
);

const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("write" as const),
      path: anyPath,
      text: fc.constantFrom("1", "2", "3"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("remove" as const), path: anyPath }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("stage" as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("commit" as const) }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("keep" as const) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** The files of the work tree, by their paths. */
type Model = Map<string, string>;

const isIgnored = (path: string) => path.startsWith("out/") || path.endsWith(".log");

function forgetAround(model: Model, path: string): void {
  for (const other of [...model.keys()])
    if (other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) model.delete(other);
}

async function write(root: string, model: Model, path: string, text: string): Promise<void> {
  const above = path.split("/").map((_, at, names) => names.slice(0, at + 1).join("/"));
  for (const each of above) if (model.has(each)) await rm(join(root, each));
  await rm(join(root, path), { recursive: true, force: true });
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
  forgetAround(model, path);
  model.set(path, text);
}

async function take(root: string, model: Model, step: Exclude<Step, { type: "keep" }>): Promise<void> {
  switch (step.type) {
    case "write":
      return write(root, model, step.path, step.text);
    case "remove":
      for (const path of [...model.keys()])
        if (path === step.path || path.startsWith(`${step.path}/`)) {
          await rm(join(root, path));
          model.delete(path);
        }
      return;
    case "stage":
      await git(root, "add", "--all");
      return;
    case "commit":
      await git(root, "commit", "--quiet", "--allow-empty", "--all", "--message=x");
      return;
  }
}

interface KeptRound {
  readonly commit: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Keeps a round, and holds it against what it must be. */
async function keepRound(root: string, model: Model, round: number): Promise<KeptRound> {
  const before = await readUntouchables(root);
  const kept = await keep(root, round);
  if (kept.type !== "kept") throw new Error(kept.reason);
  const files = Object.fromEntries([...model].filter(([path]) => !isIgnored(path)));
  expect(await readTree(root, kept.commit)).toEqual(files);
  expect(await readUntouchables(root)).toEqual(before);
  return { commit: kept.commit, files };
}

/** Commits whatever there is, restores a round, and holds the work tree against it. */
async function bringBack(root: string, { commit, files }: KeptRound): Promise<void> {
  await git(root, "add", "--all");
  await git(root, "commit", "--quiet", "--allow-empty", "--message=now");
  await restoreTree(await openFor(root), commit);
  await keepRound(root, new Map(Object.entries(files)), 1);
}

it("keeps exactly the files that are not ignored, in any sequence of work, and brings each round back", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 4, maxLength: 12 }), async (steps) => {
      await using dir = await tempDir();
      const root = await repoIn(dir.path);
      await writeFile(join(root, ".git/info/exclude"), "out/\n*.log\n");
      const model: Model = new Map([
        ["a.txt", "a"],
        ["src/b.txt", "b"],
      ]);
      const rounds: KeptRound[] = [];
      for (const step of [...steps, { type: "keep" as const }])
        if (step.type === "keep") rounds.push(await keepRound(root, model, rounds.length + 1));
        else await take(root, model, step);
      // Where an ignored file lies, none is restored.
      for (const path of model.keys()) if (isIgnored(path)) await rm(join(root, path));
      for (const round of rounds) await bringBack(root, round);
    }),
    { numRuns: 3 },
  );
});
