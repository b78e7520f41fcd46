import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { locateHandover, openHandover } from "../../../src/handover/handover-folder.ts";
import {
  archiveSession,
  nextArchiveName,
  sortArchives,
} from "../../../src/handover/session/archive-session.ts";
import { readDocument } from "../../../src/lib/markdown/read-document.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const place = (dir: TempDir) => ({ root: dir.path, sddDir: ".sdd" });

describe("the names of archives", () => {
  // Seed 0: 2.2, E.6
  it("count on from the highest of their day, beyond 9", () => {
    const names: string[] = [];
    for (let i = 0; i < 12; i += 1) names.push(nextArchiveName("2026-11-16", names));
    expect(names.slice(0, 3)).toEqual(["2026-11-16.md", "2026-11-16-2.md", "2026-11-16-3.md"]);
    expect(names.slice(8)).toEqual([9, 10, 11, 12].map((number) => `2026-11-16-${number}.md`));
    expect(sortArchives([...names].sort())).toEqual(names);
  });

  it("pass over what is no archive, and fill no gap", () => {
    const names = ["2026-11-16-7.md", "2026-11-15-9.md", "notes.md", "2026-11-16-0.md", ".2026-11-16.md.tmp"];
    expect(nextArchiveName("2026-11-16", names)).toBe("2026-11-16-8.md");
    expect(sortArchives(names)).toEqual(["2026-11-15-9.md", "2026-11-16-7.md"]);
  });
});

describe("archiveSession", () => {
  // Seed 0: 2.1
  it("copies what is there, byte for byte, and makes no second copy of it", async () => {
    await using dir = await tempDir();
    await using handover = await openHandover(place(dir));
    expect(await archiveSession(handover, "2026-11-16")).toBeUndefined();
    const bytes = Buffer.from("\uFEFFcaf\r\n", "utf8");
    await writeFile(handover.session, bytes);
    const path = join(handover.archive, "2026-11-16.md");
    expect(await archiveSession(handover, "2026-11-16")).toBe(path);
    expect(await archiveSession(handover, "2026-11-16")).toBe(path);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    await writeFile(handover.session, "another");
    expect(await archiveSession(handover, "2026-11-16")).toBe(join(handover.archive, "2026-11-16-2.md"));
    expect(await readdir(handover.archive)).toEqual(["2026-11-16-2.md", "2026-11-16.md"]);
  });

  it.each(["session.md", "sessions"])("refuses %s when it is a symbolic link", async (name) => {
    await using dir = await tempDir();
    await using outside = await tempDir();
    await writeFile(outside.join("victim"), "precious");
    await using handover = await openHandover(place(dir));
    if (name !== "session.md") await writeFile(handover.session, "text");
    await symlink(name === "session.md" ? outside.join("victim") : outside.path, join(handover.folder, name));
    await expect(archiveSession(handover, "2026-11-16")).rejects.toMatchObject({ code: "symlink-refused" });
    expect(await readdir(outside.path)).toEqual(["victim"]);
    expect(await readFile(outside.join("victim"), "utf8")).toBe("precious");
  });
});

describe("readDocument", () => {
  it("refuses a link anywhere below the root, and what is no file", async () => {
    await using dir = await tempDir();
    await using outside = await tempDir();
    await mkdir(outside.join("handover"));
    await writeFile(outside.join("handover", "session.md"), "secret");
    await symlink(outside.path, dir.join(".sdd"));
    const { session } = locateHandover(place(dir));
    await expect(readDocument(dir.path, session)).rejects.toMatchObject({ code: "symlink-refused" });
    await using other = await tempDir();
    await mkdir(locateHandover(place(other)).session, { recursive: true });
    await expect(readDocument(other.path, locateHandover(place(other)).session)).rejects.toMatchObject({
      code: "not-a-file",
    });
  });

  it.each([
    { case: "binary", bytes: Buffer.from("a\0b"), says: "binary" },
    { case: "huge", bytes: Buffer.alloc(1_100_000, "a"), says: "1100000 bytes" },
  ])("refuses a $case document and leaves it", async ({ bytes, says }) => {
    await using dir = await tempDir();
    const { session } = locateHandover(place(dir));
    await mkdir(dirname(session), { recursive: true });
    await writeFile(session, bytes);
    await expect(readDocument(dir.path, session)).rejects.toMatchObject({
      code: "document-unreadable",
      message: expect.stringContaining(says) as string,
    });
    expect((await readFile(session)).equals(bytes)).toBe(true);
  });

  it("gives nothing where there is none", async () => {
    await using dir = await tempDir();
    expect(await readDocument(dir.path, locateHandover(place(dir)).session)).toBeUndefined();
  });
});
