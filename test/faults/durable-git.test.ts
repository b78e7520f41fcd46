import { chmod, writeFile } from "node:fs/promises";
import { delimiter, dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { git, gitEnv } from "../support/git-repo.ts";
import { writeFiles } from "../support/save-repo.ts";
import { type StracedRun, strace } from "../support/strace.ts";
import { tempDir } from "../support/temp-dir.ts";
import { makeUnsavedWorld } from "../support/work-world.ts";

const calls = ["fsync", "fdatasync", "?rename", "?renameat", "?renameat2", "?link", "?linkat"];

type Step =
  | { readonly type: "synced"; readonly path: string }
  | { readonly type: "named"; readonly from: string; readonly to: string };

/** Returns what a run did to files, in order; git names them from the work tree that it runs in. */
function listSteps(run: StracedRun, root: string): readonly Step[] {
  return run.calls.map(({ call, path, rest }): Step => {
    if (call.endsWith("sync")) return { type: "synced", path };
    const quoted = [...`"${path}"${rest}`.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => resolve(root, name));
    return { type: "named", from: quoted[0] ?? "", to: quoted[1] ?? "" };
  });
}

/** What must survive a power cut: objects, refs, the user's index, and the state that tells of them. */
function kindOf(root: string, path: string): string | undefined {
  const name = path.slice(root.length + 1);
  if (/^\.git\/objects\/(pack|[0-9a-f]{2})\/(?!tmp_)/.test(name)) return "object";
  if (/^\.git\/(refs\/.*|HEAD)$/.test(name) && !name.endsWith(".lock")) return "ref";
  if (name === ".git/index") return "index";
  return name === ".claude/session-state.json" ? "state" : undefined;
}

/** Returns each name that a power cut could take away, or leave without its content. */
function findUnsynced(root: string, steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step, at) => {
    if (step.type !== "named" || kindOf(root, step.to) === undefined) return [];
    const [before, after] = [pathsSynced(steps.slice(0, at)), pathsSynced(steps.slice(at))];
    const hasContent = before.has(origin(steps, at)) || after.has(step.to);
    return hasContent && after.has(dirname(step.to)) ? [] : [step.to];
  });
}

function pathsSynced(steps: readonly Step[]): ReadonlySet<string> {
  return new Set(steps.flatMap((step) => (step.type === "synced" ? step.path : [])));
}

/** Returns the first name of a file that was linked and then renamed. */
function origin(steps: readonly Step[], at: number): string {
  const step = steps[at];
  if (step?.type !== "named") return "";
  const before = steps.slice(0, at).findLastIndex((each) => each.type === "named" && each.to === step.from);
  return before === -1 ? step.from : origin(steps, before);
}

/** Returns the kinds of files in the order in which the last of each got its name. */
function orderOf(root: string, steps: readonly Step[]): readonly string[] {
  const kinds = steps.flatMap((step) => (step.type === "named" ? (kindOf(root, step.to) ?? []) : []));
  return kinds.filter((kind, at) => kinds.lastIndexOf(kind) === at);
}

/** Makes a git that is as old as it says: it does not know the setting by which newer ones sync refs. */
async function makeOldGit(folder: string): Promise<string> {
  const script = `#!/bin/sh
case "$*" in *version) echo "git version 2.30.2"; exit;; esac
for word do
  shift
  case $word in core.fsync=*) word=core.unknown=1;; esac
  set -- "$@" "$word"
done
PATH='${gitEnv.PATH}' exec git "$@"
`;
  await writeFile(join(folder, "git"), script);
  await chmod(join(folder, "git"), 0o755);
  return `${folder}${delimiter}${gitEnv.PATH}`;
}

/** Does something in a world with work in it while strace looks on. */
async function watch(folder: string, what: string, path = gitEnv.PATH ?? "") {
  const { root } = await makeUnsavedWorld(join(folder, "world"));
  const run = await strace({ calls, paths: [] }, "durable-git-child.ts", join(folder, "world"), what, path);
  expect(run.exit).toBe(0);
  return { root, steps: listSteps(run, root) };
}

describe("what git writes for us is on disk when we say so", () => {
  it.each([
    { what: "save", order: ["object", "ref", "index", "state"] },
    { what: "round", order: ["object", "ref"] },
    { what: "stash", order: ["object", "ref", "index"] },
  ])("of a $what, in the order $order", async ({ what, order }) => {
    await using dir = await tempDir();
    const { root, steps } = await watch(dir.path, what);
    expect(findUnsynced(root, steps)).toEqual([]);
    expect(orderOf(root, steps)).toEqual(order);
  });

  it.each(["save", "round"])("of a %s also with a git that cannot sync refs", async (what) => {
    await using dir = await tempDir();
    const path = await makeOldGit(dir.path);
    const { root, steps } = await watch(dir.path, what, path);
    expect(findUnsynced(root, steps)).toEqual([]);
  });

  it("with what the user staged and committed a moment before, and did not sync", async () => {
    await using dir = await tempDir();
    const { root } = await makeUnsavedWorld(dir.path);
    await git(root, "commit", "-qm", "by hand");
    await writeFiles(root, { "by-hand.txt": "staged by hand\n" });
    await git(root, "add", "by-hand.txt");
    const objects = await Promise.all(
      ["HEAD", "HEAD^{tree}", ":by-hand.txt"].map((name) => git(root, "rev-parse", name)),
    );
    const run = await strace(
      { calls, paths: [] },
      "durable-git-child.ts",
      dir.path,
      "save",
      gitEnv.PATH ?? "",
    );
    expect(run.exit).toBe(0);
    const steps = listSteps(run, root);
    const moved = steps.findIndex((step) => step.type === "named" && step.to.endsWith("/refs/heads/feature"));
    const synced = pathsSynced(steps.slice(0, moved));
    const paths = objects.map((name) => join(root, ".git/objects", name.slice(0, 2), name.slice(2)));
    expect(paths.filter((path) => !synced.has(path))).toEqual([]);
  });
});
