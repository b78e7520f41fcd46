import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { ProjectId } from "../../src/sessions/project.ts";
import { openStore } from "../../src/storage/open-store.ts";
import {
  approve,
  findApproved,
  hashOf,
  type Purpose,
  readApprovals,
  revoke,
} from "../../src/work/approvals.ts";
import { followProjects } from "../../src/workspace/follow-projects.ts";
import { openProject } from "../../src/workspace/open-project.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import { tempDir } from "../support/temp-dir.ts";

const now = new Date("2026-11-16T12:00:00Z");
const [one, other] = ["path:/one", "path:/other"].map((id) => ({ id: id as ProjectId }));
const project = one ?? { id: "" as ProjectId };
const test: Purpose = { kind: "check", name: "test" };
const npmTest = ["npm", "test"] as const;

/** A home folder with one approved command, and a way to change its file by hand. */
async function openApproved() {
  const dir = await tempDir();
  const path = dir.join("approvals.json");
  await approve(dir.path, { project, command: npmTest, purpose: test }, now);
  return {
    ...{ home: dir.path, path },
    edit: async (from: string, to: string) =>
      writeFile(path, (await readFile(path, "utf8")).replace(from, to)),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

describe("an approved command", () => {
  it("is found for its project and purpose alone", async () => {
    await using approved = await openApproved();
    const found = (of = project, purpose: Purpose = test) => findApproved(approved.home, of, purpose);
    expect(await found()).toEqual({ type: "approved", command: npmTest });
    const others = [found(other), found(project, { kind: "check", name: "build" })];
    others.push(found(project, { kind: "recovery", name: "test_failure" }));
    expect(await Promise.all(others)).toEqual(Array.from({ length: 3 }, () => ({ type: "none" })));
  });

  it("is written down with its hash, for its owner alone", async () => {
    await using approved = await openApproved();
    expect(JSON.parse(await readFile(approved.path, "utf8"))).toEqual({
      version: 1,
      approvals: [
        {
          ...{ project: project.id, kind: "check", name: "test", command: npmTest },
          ...{
            hash: "527c484bcc3bb219e92ed61f99ff968f31143f89e53fda93d09b74c0ce3177d4",
            at: "2026-11-16T12:00:00.000Z",
          },
        },
      ],
    });
    expect((await stat(approved.path)).mode & 0o777).toBe(0o600);
  });

  it("is replaced by another one, and the same one again is no change", async () => {
    await using approved = await openApproved();
    const again = (command: readonly string[]) =>
      approve(approved.home, { project, command, purpose: test }, now);
    expect([await again(npmTest), await again(["make", "check"]), await again(["make", "check"])]).toEqual([
      false,
      true,
      false,
    ]);
    expect((await readApprovals(approved.home)).map(({ command }) => command)).toEqual([["make", "check"]]);
  });

  it("is approved no longer once it is revoked", async () => {
    await using approved = await openApproved();
    const { home } = approved;
    expect([await revoke(home, project, test), await revoke(home, project, test)]).toEqual([true, false]);
    expect(await findApproved(home, project, test)).toEqual({ type: "none" });
  });

  it.each([[[]], [[""]], [["  ", "x"]], [["a\0b"]], [["x", "y".repeat(100_001)]]])(
    "is not one that cannot be run: %j",
    async (command) => {
      await using dir = await tempDir();
      await expect(approve(dir.path, { project, command, purpose: test }, now)).rejects.toMatchObject({
        kind: "usage",
        code: "bad-command",
      });
      expect(await readApprovals(dir.path)).toEqual([]);
    },
  );

  it("is kept with all others when many approve at once", async () => {
    await using dir = await tempDir();
    const projects = Array.from({ length: 20 }, (_, index) => ({ id: `path:/${index}` as ProjectId }));
    await Promise.all(
      projects.map((each) => approve(dir.path, { project: each, command: npmTest, purpose: test }, now)),
    );
    expect(new Set((await readApprovals(dir.path)).map((each) => each.project))).toEqual(
      new Set(projects.map(({ id }) => id)),
    );
  });
});

describe("a list of approved commands", () => {
  it("that was edited by hand does not count for what was changed, until it is approved again", async () => {
    await using approved = await openApproved();
    const { home } = approved;
    await approved.edit('"test"\n', '"evil"\n');
    expect(await findApproved(home, project, test)).toEqual({
      type: "altered",
      hint: expect.stringContaining("`carryon check allow test -- COMMAND`"),
    });
    expect(await approve(home, { project, command: npmTest, purpose: test }, now)).toBe(true);
    expect(await findApproved(home, project, test)).toEqual({ type: "approved", command: npmTest });
  });

  it.each([
    { what: "no JSON", from: "{", to: "" },
    { what: "another version", from: '"version": 1', to: '"version": 2' },
    { what: "an unknown kind", from: '"check"', to: '"any"' },
    { what: "an unknown name", from: '"name": "test"', to: '"name": "tset"' },
    { what: "a line for a shell", from: /\[\s+"npm",\s+"test"\s+\]/, to: '"npm test"' },
    { what: "no hash", from: '"hash"', to: '"hsah"' },
  ])("with $what is refused as a whole, and left as it is", async ({ from, to }) => {
    await using approved = await openApproved();
    const { home, path } = approved;
    const text = (await readFile(path, "utf8")).replace(from, to);
    await writeFile(path, text);
    const refusal = { kind: "config", code: "bad-approvals", hint: expect.stringContaining("Move it away") };
    await expect(findApproved(home, project, test)).rejects.toMatchObject(refusal);
    await expect(approve(home, { project, command: ["x"], purpose: test }, now)).rejects.toMatchObject(
      refusal,
    );
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("that others can change is refused", async () => {
    await using approved = await openApproved();
    for (const mode of [0o620, 0o602]) {
      await chmod(approved.path, mode);
      await expect(findApproved(approved.home, project, test)).rejects.toMatchObject({
        kind: "config",
        code: "list-exposed",
      });
    }
  });

  it("goes with a project that comes to be known by its first commit", async () => {
    await using dir = await tempDir();
    const [root, home] = [dir.join("shop"), dir.join("home")];
    await mkdir(root);
    const open = async () => {
      await using here = await openProject({ cwd: root, home, store: undefined }, "write");
      return here.project;
    };
    const before = await open();
    await approve(home, { project: before, command: npmTest, purpose: test }, now);
    await makeRepo(root, ["first"]);
    const after = await open();
    expect([before.id.startsWith("path:"), after.id]).toEqual([
      true,
      `root:${await git(root, "rev-parse", "HEAD")}`,
    ]);
    expect(await findApproved(home, after, test)).toEqual({ type: "approved", command: npmTest });
    expect(await findApproved(home, before, test)).toEqual({ type: "none" });
  });

  it("has the newest command where two projects prove to be one", async () => {
    await using dir = await tempDir();
    await using store = await openStore(dir.path);
    const names = ["path:/a", "path:/b"];
    for (const [index, id] of names.entries()) {
      const known = await store.projects.recognise({ identities: [id], name: id });
      await approve(dir.path, { project: known, command: ["run", String(index)], purpose: test }, now);
    }
    const both = await store.projects.recognise({ identities: ["root:abc", ...names], name: "one" });
    await followProjects(dir.path, store.projects);
    expect(await readApprovals(dir.path)).toEqual([
      expect.objectContaining({ project: both.id, command: ["run", "1"], hash: hashOf(["run", "1"]) }),
    ]);
  });
});
