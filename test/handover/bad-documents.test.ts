import {
  cp,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import type { ProjectHandover } from "../../src/handover/project-handover.ts";
import { makeTempName } from "../../src/lib/atomic-file.ts";
import { systemRandom } from "../../src/lib/uuid-v7.ts";
import { fixedOwner } from "../support/fixed-owner.ts";
import { given, openTestHandover } from "../support/project-handover.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";

type Test = Awaited<ReturnType<typeof openTestHandover>>;
type Name = "session" | "decisions" | "buffer";

const note = { tag: "PATTERN", text: "api: retry", source: "login Builder, task 1" } as const;
const said = { context: "c", decision: "d", reason: "r", impact: "none", source: "test" };
const draft = (handover: ProjectHandover) => handover.draft({ done: ["a"] });
const polish = (handover: ProjectHandover) => handover.polish({ tone: ["calm"], decisions: given("x") });
const decide = (handover: ProjectHandover) =>
  handover.decide({ type: "USER_DECISION", summary: "mine", ...said });
const begin = (handover: ProjectHandover) => handover.begin("abc");
const takeNote = (handover: ProjectHandover) => handover.note([note]);
const flush = (handover: ProjectHandover) => handover.flush();
const dismiss = (handover: ProjectHandover) => handover.dismiss("api");
const list = (handover: ProjectHandover) => handover.decisions();

/** What cannot be done without a document. */
const users: Readonly<Record<Name, readonly ((handover: ProjectHandover) => Promise<unknown>)[]>> = {
  session: [draft, polish],
  decisions: [decide, begin, draft, polish, list],
  buffer: [takeNote, flush, dismiss],
};
const names = ["session", "decisions", "buffer"] as const;

const spoils = [
  { kind: "binary", code: "document-unreadable", bytes: Buffer.from("PK\0\u0001") },
  { kind: "not UTF-8", code: "document-unreadable", bytes: Buffer.from("caf\u00e9\n", "latin1") },
  { kind: "a folder", code: "not-a-file", bytes: undefined },
  { kind: "a symbolic link", code: "symlink-refused", bytes: undefined },
] as const;

async function spoil(path: string, { kind, bytes }: (typeof spoils)[number], outside: TempDir) {
  await mkdir(dirname(path), { recursive: true });
  if (bytes !== undefined) await writeFile(path, bytes);
  else if (kind === "a folder") await mkdir(path);
  else {
    await writeFile(outside.join("victim"), "[x] D7: USER_DECISION | precious\n");
    await symlink(outside.join("victim"), path);
  }
}

/** Returns what lies at a path, whatever it is. */
async function contentOf(path: string): Promise<unknown> {
  return readlink(path).catch(() => readFile(path).catch(() => readdir(path)));
}

async function problemsOf({ brief }: Test): Promise<string> {
  const { parts } = await brief({ budget: 100_000 });
  return parts.find(({ name }) => name === "Problems")?.text ?? "";
}

describe("a document that cannot be read", () => {
  it.each(names.flatMap((name) => spoils.map((each) => ({ name, ...each }))))(
    "is reported and stays as it is: $name that is $kind",
    async ({ name, ...how }) => {
      await using test = await openTestHandover({ inGit: false });
      await using outside = await tempDir();
      const path = test.handover.paths[name];
      await spoil(path, how as (typeof spoils)[number], outside);
      const before = await contentOf(path);
      for (const use of users[name]) {
        await expect(use(test.handover)).rejects.toMatchObject({ code: how.code });
      }
      expect(await contentOf(path)).toEqual(before);
      const left = (await readdir(dirname(path))).filter((each) => each.endsWith(".md"));
      expect(left).toEqual([`${name}.md`]);
      expect(await problemsOf(test)).toContain(path);
      expect((await test.brief()).text).not.toContain("precious");
    },
  );
});

describe("a document that a git merge left unfinished", () => {
  const marks = "<<<<<<< ours\n=======\n>>>>>>> theirs\n";

  it.each([
    { name: "session", says: "session.md, line 1: a git merge left its mark here." },
    { name: "decisions", says: "decisions.md: a git merge left its marks in line 1, 2, 3." },
    { name: "buffer", says: "buffer.md, line 1: a git merge left its mark here." },
  ] as const)("is said in the brief, also before the project is trusted: $name", async ({ name, says }) => {
    await using test = await openTestHandover({ inGit: false });
    const path = test.handover.paths[name];
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, marks);
    expect(await problemsOf(test)).toContain(says);
  });

  it("keeps both sides of decisions.md, and is only added to", async () => {
    await using test = await openTestHandover({ inGit: false });
    const path = test.handover.paths.decisions;
    const side = (word: string) => `[x] D4: USER_DECISION | ${word}\n`;
    const text = `<<<<<<< HEAD\n${side("ours")}=======\n${side("theirs")}>>>>>>> them\n`;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    expect(await test.decide("USER_DECISION", "Ours counts, as D4")).toMatchObject({ seq: 5 });
    expect((await readFile(path, "utf8")).startsWith(text)).toBe(true);
    expect((await test.handover.decisions()).map(({ summary }) => summary)).toEqual([
      ...["ours", "theirs", "Ours counts, as D4"],
    ]);
  });
});

describe("a folder that is a symbolic link", () => {
  it.each([".claude", ".claude/sdd", ".claude/sdd/handover"])(
    "is neither read nor written through: %s",
    async (folder) => {
      await using test = await openTestHandover({ inGit: false });
      await using outside = await tempDir();
      for (const use of [decide, takeNote, draft]) await use(test.handover);
      await mkdir(dirname(outside.join(folder)), { recursive: true });
      await move(test.join(folder), outside.join(folder));
      const before = await listAll(outside);
      for (const use of [...users.session, ...users.decisions, ...users.buffer])
        await expect(use(test.handover)).rejects.toMatchObject({ code: "symlink-refused" });
      expect(await listAll(outside)).toEqual(before);
      expect(await problemsOf(test)).toContain(test.join(folder));
      expect((await test.brief()).text).not.toMatch(/mine|retry|Accomplished/);
    },
  );

  it("keeps the archive: nothing is written outside, and session.md stays", async () => {
    await using test = await openTestHandover({ inGit: false });
    await using outside = await tempDir();
    await test.handover.draft({ done: ["a"] });
    const before = await test.read();
    await symlink(outside.path, test.handover.paths.archive);
    await expect(polish(test.handover)).rejects.toMatchObject({ code: "symlink-refused" });
    expect([await test.read(), await readdir(outside.path)]).toEqual([before, []]);
    expect(await test.handover.decisions()).toEqual([]);
  });

  it("keeps what killed writers left in it, because it is not the project's", async () => {
    await using test = await openTestHandover({ inGit: false });
    await using outside = await tempDir();
    const stray = makeTempName("session.md", fixedOwner.owner, systemRandom);
    await writeFile(outside.join(stray), "half");
    await utimes(outside.join(stray), 0, 0);
    await test.handover.draft({ done: ["a"] });
    await symlink(outside.path, test.handover.paths.archive);
    await test.handover.draft({ done: ["b"] });
    expect(await readdir(outside.path)).toEqual([stray]);
    await rm(test.handover.paths.archive);
    await rename(outside.path, test.handover.paths.archive);
    await test.handover.draft({ done: ["c"] });
    expect(await readdir(test.handover.paths.archive)).toEqual([]);
  });

  it.each([".claude/sdd/project", ".claude/sdd/project/knowledge"])(
    "keeps the notes in the buffer: %s",
    async (folder) => {
      await using test = await openTestHandover({ inGit: false });
      await using outside = await tempDir();
      await test.handover.note([note]);
      const before = await readFile(test.handover.paths.buffer, "utf8");
      await mkdir(dirname(test.join(folder)), { recursive: true });
      await symlink(outside.path, test.join(folder));
      await expect(flush(test.handover)).rejects.toMatchObject({ code: "symlink-refused" });
      expect(await readFile(test.handover.paths.buffer, "utf8")).toBe(before);
      expect(await readdir(outside.path)).toEqual([]);
    },
  );
});

/** Moves a folder, and leaves a link to it. */
async function move(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true });
  await rm(from, { recursive: true });
  await symlink(to, from);
}

async function listAll(dir: TempDir): Promise<readonly string[]> {
  const entries = await readdir(dir.path, { recursive: true });
  return entries.sort();
}
