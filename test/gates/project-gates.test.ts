import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type ProjectGates, type WritableProject } from "../../src/index.ts";
import { trustProject } from "../../src/workspace/trust.ts";
import { everyGate } from "../support/gates/gated-cli.ts";
import { git, gitEnv, makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

const noon = new Date("2026-11-16T12:00:00.000Z");
const clock = { now: () => noon };

async function openRepo(folder: string): Promise<WritableProject> {
  const root = join(folder, "shop");
  await makeRepo(root, ["first"]);
  await git(root, "switch", "--quiet", "--create", "feature");
  await mkdir(join(root, ".claude"));
  await writeFile(join(root, ".claude", "requirements.yaml"), everyGate);
  return openProject({ cwd: root, home: join(folder, "home") }, "write");
}

async function satisfiedIn(gates: ProjectGates, session: string): Promise<readonly string[]> {
  const { rows } = await gates.status({ session });
  return rows.flatMap(({ gate, judgement }) => (judgement.satisfied ? [gate.name] : []));
}

describe("the gates of a project, for a program", () => {
  it("wait until the project is trusted", async () => {
    await using dir = await tempDir();
    await using project = await openRepo(dir.path);
    const author = { clientFolder: dir.join("client"), env: gitEnv, clock };
    const { rows, waiting } = await (await project.gates(author)).status();
    expect([rows, waiting]).toEqual([[], [join(project.root, ".claude", "requirements.yaml")]]);
  });

  it("are satisfied, approved for a while and cleared, each for whom it is said", async () => {
    await using dir = await tempDir();
    await using project = await openRepo(dir.path);
    await trustProject(project.home, project.project, { root: project.root, now: noon });
    const gates = await project.gates({ clientFolder: dir.join("client"), env: gitEnv, clock });
    await gates.satisfy(["commit_plan"], { session: "one" });
    await gates.satisfy(["each_commit"], { session: { all: true } });
    await gates.approve("size", { session: "one" });
    expect([await satisfiedIn(gates, "one"), await satisfiedIn(gates, "two")]).toEqual([
      ["commit_plan", "each_commit", "not_main", "size"],
      ["each_commit", "not_main", "size"],
    ]);
    const { rows } = await gates.status({ session: "one" });
    const size = rows.find(({ gate }) => gate.name === "size");
    expect([size?.satisfiedBy, size?.expiresAt]).toEqual(["approval", new Date(noon.getTime() + 60_000)]);
    expect(await gates.clear("commit_plan", { session: "two" })).toEqual({
      changed: false,
      remains: false,
      problems: [],
    });
    expect(await gates.clear("commit_plan", { session: "one" })).toEqual({
      changed: true,
      remains: false,
      problems: [],
    });
    expect(await satisfiedIn(gates, "one")).toEqual(["each_commit", "not_main", "size"]);
    await expect(gates.satisfy(["reviewed", "commit_plna"], { session: "one" })).rejects.toMatchObject({
      code: "no-such-gate",
      hint: "Did you mean commit_plan?",
    });
    expect(await satisfiedIn(gates, "one")).toEqual(["each_commit", "not_main", "size"]);
  });

  it("are kept for a branch, and for none on a detached HEAD unless one is named", async () => {
    await using dir = await tempDir();
    const first = await openRepo(dir.path);
    await trustProject(first.home, first.project, { root: first.root, now: noon });
    await first[Symbol.asyncDispose]();
    await git(first.root, "checkout", "--quiet", "--detach");
    await using project = await openProject({ cwd: first.root, home: first.home }, "write");
    const gates = await project.gates({ clientFolder: dir.join("client"), env: gitEnv, clock });
    await expect(gates.satisfy(["reviewed"], { session: "one" })).rejects.toMatchObject({
      code: "no-branch",
    });
    expect(await gates.satisfy(["reviewed"], { session: "one", branch: "feature" })).toMatchObject({
      changed: true,
    });
  });
});
