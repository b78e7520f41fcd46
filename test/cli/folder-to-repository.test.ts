import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepo } from "../support/git-repo.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

async function titlesIn(carryon: Carryon, folder: string): Promise<readonly string[]> {
  const { stdout } = await carryon.call(["sessions", "--json"], { cwd: join(carryon.folder, folder) });
  return JSON.parse(stdout).sessions.map(({ title }: { title: string }) => title);
}

const trusted = async (carryon: Carryon) => (await carryon.call(["trust", "--list"])).stdout;

describe("what was recorded in a folder outside git", () => {
  it("is found there after git init, the first commit and a remote, and where it moves or is cloned to", async () => {
    await using carryon = await openCarryon();
    const { folder } = carryon;
    const work = join(folder, "work");
    await carryon.record("hello");
    await makeRepo(work, []);
    expect(await titlesIn(carryon, "work")).toEqual(["hello"]);
    await makeRepo(work, ["first"]);
    expect(await titlesIn(carryon, "work")).toEqual(["hello"]);
    await git(work, "remote", "add", "origin", "git@example.com:me/it.git");
    await carryon.record("again");
    expect(await titlesIn(carryon, "work")).toEqual(["again", "hello"]);
    await git(folder, "clone", "--quiet", work, join(folder, "clone"));
    expect(await titlesIn(carryon, "clone")).toEqual(["again", "hello"]);
    await rename(work, join(folder, "moved"));
    expect(await titlesIn(carryon, "moved")).toEqual(["again", "hello"]);
  });

  it("is found after a move that nobody but a reader saw coming", async () => {
    await using carryon = await openCarryon();
    await carryon.record("hello");
    await makeRepo(join(carryon.folder, "work"), ["first"]);
    expect(await titlesIn(carryon, "work")).toEqual(["hello"]);
    await rename(join(carryon.folder, "work"), join(carryon.folder, "moved"));
    expect(await titlesIn(carryon, "moved")).toEqual(["hello"]);
  });

  it("keeps the trust in its project, which does not go over to another one in the same place", async () => {
    await using carryon = await openCarryon();
    const work = join(carryon.folder, "work");
    await carryon.call(["trust"]);
    await makeRepo(work, ["first"]);
    await carryon.record("hello");
    const already = { code: 0, stdout: "", stderr: "This project is trusted already.\n" };
    expect(await carryon.call(["trust"])).toEqual(already);
    await rm(work, { recursive: true });
    await makeRepo(work, ["another"]);
    await carryon.record("of the other");
    expect(await carryon.call(["trust", "--revoke"])).toMatchObject({
      stderr: "This project was not trusted.\n",
    });
    expect(await trusted(carryon)).toBe("work <folder>/work\n");
  });
});

describe("carryon relink of a folder that has moved", () => {
  it("takes the trust in its project along, through links in the old path", async () => {
    await using carryon = await openCarryon();
    await carryon.call(["trust"]);
    await rename(join(carryon.folder, "work"), join(carryon.folder, "moved"));
    await symlink(carryon.folder, join(carryon.folder, "link"));
    const cwd = join(carryon.folder, "moved");
    expect(await carryon.call(["relink", "../link/work"], { cwd })).toMatchObject({ code: 0 });
    const { stdout } = await carryon.call(["init", "--dry-run"], { cwd });
    expect(stdout).not.toContain("will be trusted");
  });
});

describe("carryon relink of a folder that is still there", () => {
  it("joins what was recorded below a repository before it was one", async () => {
    await using carryon = await openCarryon();
    const work = join(carryon.folder, "work");
    for (const name of ["api", "other"]) {
      await mkdir(join(work, name));
      const input = `${JSON.stringify({ role: "user", text: name })}\n`;
      await carryon.call(["append"], { cwd: join(work, name), input });
    }
    await makeRepo(work, ["first"]);
    await makeRepo(join(work, "other"), ["of its own"]);
    expect(await carryon.call(["relink", "."])).toEqual({
      ...{ code: 0, stdout: "", stderr: "What was recorded in <folder>/work belongs to work now.\n" },
    });
    expect(await titlesIn(carryon, "work")).toEqual(["api"]);
    expect(await titlesIn(carryon, "work/other")).toEqual(["other"]);
  });

  it("brings back what was recorded before the history began anew", async () => {
    await using carryon = await openCarryon();
    const work = join(carryon.folder, "work");
    await makeRepo(work, ["first"]);
    await carryon.record("before");
    await rm(join(work, ".git"), { recursive: true });
    await makeRepo(work, ["all in one"]);
    await carryon.record("after");
    expect(await titlesIn(carryon, "work")).toEqual(["after"]);
    expect((await carryon.call(["relink", "."])).code).toBe(0);
    expect(await titlesIn(carryon, "work")).toEqual(["after", "before"]);
  });

  it("refuses to join two repositories one of which was also elsewhere", async () => {
    await using carryon = await openCarryon();
    const [work, clone] = [join(carryon.folder, "work"), join(carryon.folder, "clone")];
    await makeRepo(work, ["first"]);
    await carryon.record("before");
    await git(carryon.folder, "clone", "--quiet", work, clone);
    await carryon.call(["append"], { cwd: clone, input: '{"role":"user","text":"in the clone"}\n' });
    await rm(join(work, ".git"), { recursive: true });
    await makeRepo(work, ["another"]);
    expect(await carryon.call(["relink", "."])).toMatchInlineSnapshot(`
      {
        "code": 4,
        "stderr": "carryon: What was in <folder>/work is another project: its first commit is not in this one.
        Change to the folder that the project is in now.
      ",
        "stdout": "",
      }
    `);
    expect(await titlesIn(carryon, "clone")).toEqual(["in the clone", "before"]);
  });

  it("refuses a folder around the repository", async () => {
    await using carryon = await openCarryon();
    const sub = join(carryon.folder, "work", "sub");
    await carryon.record("around");
    await makeRepo(sub, ["first"]);
    expect(await carryon.call(["relink", ".."], { cwd: sub })).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining("<folder>/work is still there") },
    });
  });
});
