import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { type GatedRepo, makeGatedRepo, nothing, plan } from "../../support/gates/gated-repo.ts";
import { configOf } from "../../support/gates/gates.ts";
import { tempDir } from "../../support/temp-dir.ts";

type Make = (repo: GatedRepo, path: string) => void;

/** Links to a folder of somebody else, who has files of the names that we use. */
const linkOut: Make = ({ root }, path) => {
  const victim = join(root, "..", "victim");
  mkdirSync(join(victim, "sessions"), { recursive: true });
  for (const name of ["feature-plan.json", "s-1.json", "sessions/s-1.json"])
    writeFileSync(join(victim, name), "{");
  symlinkSync(victim, path);
};
const faults: readonly { readonly what: string; readonly make: Make }[] = [
  { what: "a file", make: (_repo, path) => writeFileSync(path, "a file") },
  { what: "a link to a folder", make: linkOut },
  { what: "a link to a file", make: ({ root }, path) => symlinkSync(join(root, "first.txt"), path) },
  { what: "a link to nothing", make: ({ root }, path) => symlinkSync(join(root, "..", "none"), path) },
];

/** All that lies beside the repository. */
const filesAround = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => !/^(?:repo|cache|client)(?:\/|$)/.test(name))
    .toSorted();

describe.each(["requirements", "requirements/sessions"])("in the place of .git/%s", (folder) => {
  it.each(faults)("$what stops nobody, is told, and leads nothing out", async ({ make }) => {
    await using dir = await tempDir();
    const repo = await makeGatedRepo(dir.path, configOf([plan]));
    const path = join(repo.root, ".git", folder);
    mkdirSync(dirname(path), { recursive: true });
    make(repo, path);
    const before = filesAround(dir.path);
    const session = repo.session("s-1");
    await session.tell("SessionStart", { source: "clear" });
    expect(await session.use("Edit", { file_path: "a" })).toEqual(nothing);
    expect(await session.run("echo one > a.txt")).toEqual(nothing);
    expect(await session.tell("Stop", {})).toEqual(nothing);
    await session.use("Skill", { skill: "plan-review" });
    expect(await session.use("Edit", { file_path: "b" })).toEqual(nothing);
    await session.tell("SessionEnd", {});
    expect(filesAround(dir.path)).toEqual(before);
    expect(
      readdirSync(join(repo.root, ".git"), { recursive: true }).filter((name) => /uses/.test(String(name))),
    ).toEqual([]);
    expect(repo.problems.map((problem) => problem.path)).toContain(path);
  });
});
