import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseBuffer, rewriteBuffer } from "../../../src/handover/buffer/buffer-doc.ts";
import { addNotes } from "../../../src/handover/buffer/change-buffer.ts";
import { openHandover } from "../../../src/handover/handover-folder.ts";
import type { Note } from "../../../src/handover/note.ts";
import { addKnowledge, flushNotes, knowledgeFileOf } from "../../../src/handover/notes.ts";
import { type TempDir, tempDir } from "../../support/temp-dir.ts";

const place = (dir: TempDir) => ({ root: dir.path, sddDir: ".sdd" });
const note = (text: string, given: Partial<Note> = {}): Note => ({
  tag: "PATTERN",
  text,
  source: "login Builder, task 2",
  ...given,
});
const options = { updated: "then" };

it.each([
  { note: note("api: Retry twice, with a pause"), name: "pattern-api-retry-twice-with-a-pause.md" },
  { note: note("the disk was full", { tag: "INCIDENT" }), name: "incident-general-the-disk-was-full.md" },
  {
    note: note("../../etc/passwd: x/../y", { tag: "REFERENCE" }),
    name: "reference-general-etc-passwd-x-y.md",
  },
  { note: note("Écoute: Àé"), name: "pattern-ecoute-ae.md" },
  { note: note("認証: 鍵は一つ"), name: "pattern-f6bad65c-5948d337.md" },
  {
    note: note(`long: ${"word ".repeat(40)}`),
    name: "pattern-long-word-word-word-word-word-word-word-word-word.md",
  },
])("names the file of $note.text", ({ note: given, name }) => {
  expect(knowledgeFileOf(given)).toBe(name);
});

describe("addKnowledge", () => {
  it("gathers the sources of one text", () => {
    const one = addKnowledge(undefined, [note("api: a"), note("api: a", { source: "mail Builder, task 1" })]);
    expect(one).toBe("# api\n\n- [PATTERN] api: a (source: login Builder, task 2; mail Builder, task 1)\n");
    expect(addKnowledge(one, [note("api: a"), note("api: a", { source: "" })])).toBe(one);
  });

  it("keeps what a person has written, its line endings, and closes what it left open", () => {
    const text = "\uFEFF# My page\r\n\r\nText.\r\n```\r\ncode";
    expect(addKnowledge(text, [note("b")])).toBe(
      `${text}\r\n\`\`\`\r\n\r\n- [PATTERN] b (source: login Builder, task 2)\r\n`,
    );
  });
});

describe("flushNotes", () => {
  // Seed 0: 5.6
  it("writes the knowledge, then clears the notes and leaves the candidates", async () => {
    await using dir = await tempDir();
    await using handover = await openHandover(place(dir));
    expect(await flushNotes(handover, "now")).toEqual({ notes: [], files: [] });
    // A hand has noted the last one.
    const notes = [note("api: a"), note("api: b"), note("api: b", { source: "mail Builder, task 1" })];
    const candidates = [{ name: "api", specs: ["login", "mail"], occurrences: 3 }];
    await writeFile(handover.buffer, rewriteBuffer(undefined, { ...options, notes, candidates }));
    const files = ["pattern-api-a.md", "pattern-api-b.md"].map((name) => join(handover.knowledge, name));
    expect(await flushNotes(handover, "now")).toEqual({ notes, files });
    expect(parseBuffer(await readFile(handover.buffer, "utf8")).doc).toEqual({
      updated: "now",
      notes: [],
      candidates,
    });
    expect(await Promise.all(files.map((file) => readFile(file, "utf8")))).toEqual([
      "# api\n\n- [PATTERN] api: a (source: login Builder, task 2)\n",
      "# api\n\n- [PATTERN] api: b (source: login Builder, task 2; mail Builder, task 1)\n",
    ]);
    expect(await flushNotes(handover, "later")).toEqual({ notes: [], files: [] });
  });

  // Seed 0: 7.5
  it("clears nothing when the knowledge cannot be written", async () => {
    await using dir = await tempDir();
    await using outside = await tempDir();
    await using handover = await openHandover(place(dir));
    const { text } = addNotes(undefined, [note("api: a")], options);
    await writeFile(handover.buffer, text);
    await mkdir(dir.join(".sdd", "project"), { recursive: true });
    await symlink(outside.path, handover.knowledge);
    await expect(flushNotes(handover, "now")).rejects.toMatchObject({ code: "symlink-refused" });
    expect(await readFile(handover.buffer, "utf8")).toBe(text);
    expect(await readdir(outside.path)).toEqual([]);
  });
});
