import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeFileAtomically } from "../../src/lib/atomic-file.ts";
import { scriptPath } from "../support/child.ts";
import { fixedOwner, fixedTempPath } from "../support/fixed-owner.ts";
import { tempDir } from "../support/temp-dir.ts";

const permissions = async (path: string) => ((await stat(path)).mode & 0o7777).toString(8);

describe("writeFileAtomically", () => {
  it("makes a file that only its owner may read, and leaves nothing else behind", async () => {
    await using dir = await tempDir();
    await writeFileAtomically(dir.join("a"), "text");
    expect(await readdir(dir.path)).toEqual(["a"]);
    expect(await permissions(dir.join("a"))).toBe("600");
  });

  it("gives a new file exactly the permissions it is told", async () => {
    await using dir = await tempDir();
    await writeFileAtomically(dir.join("a"), "text", { mode: 0o666 });
    expect(await permissions(dir.join("a"))).toBe("666");
  });

  it.each([0o640, 0o400, 0o755])("keeps the permissions %o of a file it replaces", async (mode) => {
    await using dir = await tempDir();
    await writeFileAtomically(dir.join("a"), "old", { mode });
    await writeFileAtomically(dir.join("a"), "new", { mode: 0o600 });
    expect(await readFile(dir.join("a"), "utf8")).toBe("new");
    expect(await permissions(dir.join("a"))).toBe(mode.toString(8));
  });

  it("takes the rights of others from a file that is to be private", async () => {
    await using dir = await tempDir();
    await writeFileAtomically(dir.join("a"), "old", { mode: 0o644 });
    await writeFileAtomically(dir.join("a"), "new", { isPrivate: true });
    expect(await permissions(dir.join("a"))).toBe("600");
  });

  it("writes any bytes and any well-formed text exactly, whatever was there before", async () => {
    await using dir = await tempDir();
    const path = dir.join("a");
    const text = fc.string({ unit: "grapheme" });
    await fc.assert(
      fc.asyncProperty(fc.oneof(text, fc.uint8Array({ maxLength: 9000 })), async (data) => {
        await writeFileAtomically(path, data);
        expect(await readFile(path)).toEqual(Buffer.from(data));
      }),
      { numRuns: 40 },
    );
  });

  it("takes a name as long as names can be", async () => {
    await using dir = await tempDir();
    await writeFileAtomically(dir.join("é".repeat(127)), "text");
    expect(await readdir(dir.path)).toEqual(["é".repeat(127)]);
  });

  it("leaves one of the contents, whole, when many write at once", async () => {
    await using dir = await tempDir();
    const contents = Array.from({ length: 20 }, (_, i) => String(i).repeat(20_000));
    await Promise.all(contents.map((content) => writeFileAtomically(dir.join("a"), content)));
    expect(contents).toContain(await readFile(dir.join("a"), "utf8"));
    expect(await readdir(dir.path)).toEqual(["a"]);
  });

  it("refuses a symbolic link, and leaves it and its target alone", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("target"), "old");
    await symlink("target", dir.join("link"));
    await symlink("nowhere", dir.join("dangling"));
    for (const name of ["link", "dangling"]) {
      const path = dir.join(name);
      const facts = { kind: "io", code: "symlink-refused", path };
      await expect(writeFileAtomically(path, "new")).rejects.toMatchObject(facts);
    }
    expect(await readdir(dir.path)).toEqual(["dangling", "link", "target"]);
    expect(await readFile(dir.join("target"), "utf8")).toBe("old");
  });

  it("refuses a folder", async () => {
    await using dir = await tempDir();
    await mkdir(dir.join("a"));
    const facts = { kind: "io", code: "not-a-file", path: dir.join("a") };
    await expect(writeFileAtomically(dir.join("a"), "new")).rejects.toMatchObject(facts);
    expect(await readdir(dir.path)).toEqual(["a"]);
  });

  it("names the file and the cause when its folder is missing", async () => {
    await using dir = await tempDir();
    const path = dir.join("missing", "a");
    const facts = { kind: "io", code: "io-failed", path, cause: { code: "ENOENT" } };
    await expect(writeFileAtomically(path, "new")).rejects.toMatchObject(facts);
  });

  it("neither writes nor removes what is already at its temporary name", async () => {
    await using dir = await tempDir();
    const path = dir.join("a");
    await writeFile(path, "old");
    await writeFile(fixedTempPath(path), "somebody's");
    const facts = { kind: "io", code: "io-failed", cause: { code: "EEXIST" } };
    await expect(writeFileAtomically(path, "new", fixedOwner)).rejects.toMatchObject(facts);
    expect(await readFile(fixedTempPath(path), "utf8")).toBe("somebody's");
    expect(await readFile(path, "utf8")).toBe("old");
  });

  it("keeps the old content when the system takes only a part of the new", async () => {
    await using dir = await tempDir();
    const path = dir.join("a");
    await writeFile(path, "old");
    // The limit, in blocks of at most 1 KB, lets a first write pass in part and fails the second.
    const script = 'ulimit -f 16; exec "$@"';
    const args = [process.execPath, scriptPath("atomic-file-child.ts"), path, "x".repeat(100_000)];
    const { stdout } = await promisify(execFile)("/bin/sh", ["-c", script, "sh", ...args]);
    expect(stdout).toBe("disk-full\n");
    expect(await readFile(path, "utf8")).toBe("old");
    expect(await readdir(dir.path)).toEqual(["a"]);
  });
});
