import { chmod, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Note } from "../../src/handover/note.ts";
import { given, openTestHandover } from "../support/project-handover.ts";

const note = (text: string): Note => ({ tag: "PATTERN", text, source: "login Builder, task 2" });
const refusalOf = (path: string) => ({
  ...{ kind: "io", code: "read-only", message: `${path} may not be written.` },
  hint: "Check the permissions of the file and of its folder.",
});

/** All files below a folder with what they say. */
async function readAll(folder: string): Promise<Readonly<Record<string, string>>> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(
    await Promise.all(files.sort().map(async (file) => [file, await readFile(file, "utf8")])),
  );
}

describe("a document that is read-only", () => {
  it("is neither drafted nor polished when it is session.md, and nothing is written beside it", async () => {
    await using test = await openTestHandover();
    await test.handover.draft({ done: ["one"] });
    const polish = await test.handover.openPolish();
    await chmod(test.path, 0o400);
    const [files, versions] = [await readAll(test.join(".claude")), await test.history()];
    const refusal = refusalOf(test.path);
    await expect(test.handover.draft({ done: ["two"] })).rejects.toMatchObject(refusal);
    await expect(test.handover.polish({ decisions: given("x") })).rejects.toMatchObject(refusal);
    await expect(test.handover.openPolish()).rejects.toMatchObject(refusal);
    await expect(polish.answer({ decisions: given("x") })).rejects.toMatchObject(refusal);
    expect(await readAll(test.join(".claude"))).toEqual(files);
    expect(await test.history()).toEqual(versions);
    expect(await test.handover.draft()).toMatchObject({ isChanged: false });
  });

  it("takes no notes, and gives none away, when it is buffer.md", async () => {
    await using test = await openTestHandover();
    await test.handover.note([note("api: a"), note("api: b")]);
    const { buffer } = test.handover.paths;
    await chmod(buffer, 0o400);
    const files = await readAll(test.join(".claude"));
    const refusal = refusalOf(buffer);
    await expect(test.handover.note([note("c")])).rejects.toMatchObject(refusal);
    await expect(test.handover.flush()).rejects.toMatchObject(refusal);
    await expect(test.handover.dismiss("api")).rejects.toMatchObject(refusal);
    expect(await readAll(test.join(".claude"))).toEqual(files);
    expect(await test.handover.note([note("api: a")])).toEqual({ added: [], candidates: [] });
  });

  it("stays as it is when it is a file of knowledge, and the notes stay in the buffer", async () => {
    await using test = await openTestHandover();
    await test.handover.note([note("api: a")]);
    const [file = ""] = (await test.handover.flush()).files;
    await chmod(file, 0o444);
    await test.handover.note([{ ...note("api: a"), source: "mail Builder, task 1" }]);
    const files = await readAll(test.join(".claude"));
    await expect(test.handover.flush()).rejects.toMatchObject(refusalOf(file));
    expect(await readAll(test.join(".claude"))).toEqual(files);
  });
});
