import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { changeExcludeList, locateExcludeList, readExcludeList } from "../../src/git/exclude-list.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

const add = (line: string) => (list: Buffer | undefined) =>
  Buffer.concat([list ?? Buffer.alloc(0), Buffer.from(`${line}\n`)]);

/** A folder of git with a list in it, if one is given. */
async function open(list?: string | Buffer): Promise<TempDir & { readonly list: string }> {
  const dir = await tempDir();
  const path = locateExcludeList(dir.path);
  if (list !== undefined) {
    await mkdir(dirname(path));
    await writeFile(path, list);
  }
  return { ...dir, list: path };
}

describe("a list of what git leaves out", () => {
  it("is made where there is none, and not even its folder, for all to read", async () => {
    await using git = await open();
    expect(await readExcludeList(git.list)).toBeUndefined();
    await changeExcludeList(git.list, add("/x"));
    expect(await readFile(git.list, "utf8")).toBe("/x\n");
    expect((await stat(git.list)).mode & 0o777).toBe(0o644);
  });

  it("keeps its mode and its bytes", async () => {
    const bytes = Buffer.from("/caf\xe9\r\n", "latin1");
    await using git = await open(bytes);
    await chmod(git.list, 0o640);
    await changeExcludeList(git.list, add("/x"));
    expect(await readFile(git.list)).toEqual(Buffer.concat([bytes, Buffer.from("/x\n")]));
    expect((await stat(git.list)).mode & 0o777).toBe(0o640);
  });

  it("has the lines of all who change it at once", async () => {
    await using git = await open("");
    const lines = Array.from({ length: 20 }, (_, index) => `/${index}`);
    await Promise.all(lines.map((line) => changeExcludeList(git.list, add(line))));
    const found = (await readFile(git.list, "utf8")).trimEnd().split("\n");
    expect([found.length, new Set(found)]).toEqual([lines.length, new Set(lines)]);
  });

  it("goes without a trace, if that is wanted", async () => {
    await using git = await open("/x\n");
    await changeExcludeList(git.list, add("/y"));
    expect(await readdir(dirname(git.list))).toEqual([".exclude.carryon-lock", "exclude"]);
    await changeExcludeList(git.list, () => undefined, { leavesNoTrace: true });
    expect(await readdir(dirname(git.list))).toEqual([]);
  });

  it("stays as it is when the change fails", async () => {
    await using git = await open("/x\n");
    const refuse = () => {
      throw new Error("no");
    };
    await expect(changeExcludeList(git.list, refuse)).rejects.toMatchObject({ code: "io-failed" });
    await changeExcludeList(git.list, add("/y"));
    expect(await readFile(git.list, "utf8")).toBe("/x\n/y\n");
  });
});

describe("a list that must not be written", () => {
  it("is a link, which is read and stays", async () => {
    await using git = await open("");
    await using home = await tempDir();
    await writeFile(home.join("ignore"), "*.log\n");
    const list = git.join("other", "info", "exclude");
    await mkdir(dirname(list), { recursive: true });
    await symlink(home.join("ignore"), list);
    expect((await readExcludeList(list))?.toString()).toBe("*.log\n");
    await expect(changeExcludeList(list, add("/x"))).rejects.toMatchObject({
      code: "symlink-refused",
      path: list,
    });
    expect(await readlink(list)).toBe(home.join("ignore"));
    expect(await readFile(home.join("ignore"), "utf8")).toBe("*.log\n");
  });

  it("is in a folder that is a link", async () => {
    await using git = await open();
    await using other = await open("*.log\n");
    await symlink(dirname(other.list), dirname(git.list));
    await expect(changeExcludeList(git.list, add("/x"))).rejects.toMatchObject({
      code: "symlink-refused",
      path: dirname(git.list),
    });
    expect(await readFile(other.list, "utf8")).toBe("*.log\n");
    expect(await readdir(dirname(other.list))).toEqual(["exclude"]);
  });

  it("is a link that leads nowhere", async () => {
    await using git = await open("");
    const list = git.join("info", "gone");
    await symlink(git.join("nowhere"), list);
    await expect(changeExcludeList(list, add("/x"))).rejects.toMatchObject({ code: "symlink-refused" });
    expect((await lstat(list)).isSymbolicLink()).toBe(true);
  });

  it("is read-only, or its folder is", async () => {
    await using git = await open("*.log\n");
    const refused = { code: "read-only", message: `${git.list} may not be written.` };
    await chmod(git.list, 0o444);
    await expect(changeExcludeList(git.list, add("/x"))).rejects.toMatchObject(refused);
    await chmod(git.list, 0o644);
    await chmod(dirname(git.list), 0o555);
    await expect(changeExcludeList(git.list, add("/x"))).rejects.toMatchObject(refused);
    await chmod(dirname(git.list), 0o755);
    expect(await readFile(git.list, "utf8")).toBe("*.log\n");
  });

  it("would need a folder in one that is read-only", async () => {
    await using git = await open();
    await chmod(git.path, 0o555);
    await expect(changeExcludeList(git.list, add("/x"))).rejects.toMatchObject({ code: "read-only" });
    await chmod(git.path, 0o755);
    expect(await readdir(git.path)).toEqual([]);
  });

  it("is a folder, or is in a file", async () => {
    await using git = await open();
    await mkdir(git.list, { recursive: true });
    await expect(readExcludeList(git.list)).rejects.toMatchObject({ code: "not-a-file" });
    await expect(changeExcludeList(git.list, add("/x"))).rejects.toMatchObject({ code: "not-a-file" });
    await using other = await tempDir();
    const list = locateExcludeList(other.path);
    await writeFile(dirname(list), "");
    expect(await readExcludeList(list)).toBeUndefined();
    await expect(changeExcludeList(list, add("/x"))).rejects.toMatchObject({ code: "not-a-folder" });
  });
});
