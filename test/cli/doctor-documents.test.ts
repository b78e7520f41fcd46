import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, makeRepo } from "../support/git-repo.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const folder = (carryon: Carryon) => join(carryon.folder, "work", ".claude", "sdd", "handover");
const shown = "<folder>/work/.claude/sdd/handover";

async function put(carryon: Carryon, name: string, content: string | Uint8Array): Promise<void> {
  await mkdir(folder(carryon), { recursive: true });
  await writeFile(join(folder(carryon), name), content);
}

async function examine(carryon: Carryon) {
  const { code, stdout } = await carryon.call(["doctor", "--json"]);
  const { problems, notes } = JSON.parse(stdout);
  return { code, problems, notes };
}

const merge =
  "Keep what counts of both sides and delete the lines of the marks; until then nothing writes the document.";
const repair = "Move it away, or repair it; it was left as it is.";
const marks = "## Direction\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> theirs\n";

describe.each(["session.md", "buffer.md"])("what doctor says of %s", (name) => {
  const path = `${shown}/${name}`;

  it.each([
    {
      case: "the marks of a merge",
      content: marks,
      what: `${path}: a git merge left its marks in line 2, 4, 6.`,
      hint: merge,
    },
    {
      case: "more marks than anybody looks up",
      content: "<<<<<<< x\n".repeat(12),
      what: `${path}: a git merge left its marks in line 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more.`,
      hint: merge,
    },
    {
      case: "bytes that are no text",
      content: Buffer.from([0x23, 0, 0xff]),
      what: expect.stringContaining(`${path} cannot be read as a document: `),
      hint: repair,
    },
    {
      case: "more than a document has",
      content: "x".repeat(2 << 20),
      what: `${path} cannot be read as a document: it has 2097152 bytes.`,
      hint: repair,
    },
  ])("is a problem for $case", async ({ content, what, hint }) => {
    await using carryon = await openCarryon();
    await put(carryon, name, content);
    expect(await examine(carryon)).toEqual({ code: 74, problems: [{ what, hint }], notes: [] });
  });

  it("is a problem for a link and for a folder in its place", async () => {
    await using carryon = await openCarryon();
    await mkdir(folder(carryon), { recursive: true });
    await symlink("elsewhere.md", join(folder(carryon), name));
    expect(await examine(carryon)).toEqual({
      code: 74,
      problems: [
        {
          what: `${path} is a symbolic link and is not written through.`,
          hint: "Replace the link by a regular file.",
        },
      ],
      notes: [],
    });
    await rm(join(folder(carryon), name));
    await mkdir(join(folder(carryon), name));
    expect(await examine(carryon)).toEqual({
      code: 74,
      problems: [{ what: `${path} is not a regular file.`, hint: "Move away what is there." }],
      notes: [],
    });
  });

  it("is a note for a fence that is left open", async () => {
    await using carryon = await openCarryon();
    await put(carryon, name, "## Direction\n### Warnings\n```sh\n## Accomplished\n");
    expect(await examine(carryon)).toEqual({
      code: 0,
      problems: [],
      notes: [
        {
          what: `${path}: line 3: what begins here is never closed with \`\`\`, so that no section after it is read.`,
          hint: "Close it where it ends; until then nothing writes the document.",
        },
      ],
    });
  });
});

describe("what doctor says of the documents", () => {
  it("are notes for a section that comes again and for decisions that there are not", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["decide", "session-start", "Begin", "--context", "c", "--decision", "d"]);
    await carryon.ask(["trust"]);
    const text = "### Key Decisions\n- a (D1)\n- b (D7)\n- c (D9)\n### Warnings\none\n### Warnings\ntwo\n";
    await put(carryon, "session.md", text);
    const path = `${shown}/session.md`;
    expect(await examine(carryon)).toEqual({
      code: 0,
      problems: [],
      notes: [
        {
          what: `${path}: line 7: a second section Warnings is not read.`,
          hint: "Join the two by hand; both are kept until then.",
        },
        {
          what: `${path}: line 3: there is no decision D7; line 4: there is no decision D9.`,
          hint: "Correct the number, or append what was decided with `carryon decide`.",
        },
      ],
    });
  });

  it("is nothing for a decision that a new work tree refers to and another one has", async () => {
    await using carryon = await openCarryon();
    const [work, tree] = [join(carryon.folder, "work"), join(carryon.folder, "tree")];
    await makeRepo(work, ["first"]);
    await carryon.ask(["handover", "--no-ask", "--decision", "use tea", "--reason", "r", "--impact", "i"]);
    await git(work, "worktree", "add", "--quiet", "-b", "topic", tree);
    await carryon.call(["handover", "draft", "--done", "cup"], { cwd: tree });
    expect(await readFile(join(tree, ".claude/sdd/handover/session.md"), "utf8")).toContain("use tea (D1)");
    const { stdout } = await carryon.call(["doctor", "--json"], { cwd: tree });
    expect(JSON.parse(stdout)).toMatchObject({ problems: [], notes: [] });
  });

  it("is nothing where nothing is wrong, and everything where more than one is", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["handover", "draft", "--done", "one"]);
    await carryon.ask(["note", "pattern", "x", "--spec", "s", "--role", "r", "--task", "1"]);
    expect(await examine(carryon)).toEqual({ code: 0, problems: [], notes: [] });
    for (const name of ["session.md", "buffer.md", "decisions.md"]) await put(carryon, name, marks);
    const { problems } = await examine(carryon);
    expect(problems).toEqual(
      ["session.md", "buffer.md", "decisions.md"].map((name) => ({
        what: `${shown}/${name}: a git merge left its marks in line 2, 4, 6.`,
        hint: expect.stringContaining("both sides"),
      })),
    );
  });

  it("names a folder that is a link once", async () => {
    await using carryon = await openCarryon();
    await mkdir(join(folder(carryon), ".."), { recursive: true });
    await mkdir(join(carryon.folder, "work", "elsewhere"));
    await symlink(join(carryon.folder, "work", "elsewhere"), folder(carryon));
    expect((await examine(carryon)).problems).toEqual([
      {
        what: `${shown} is a symbolic link and is not written through.`,
        hint: "Replace the link by a folder of the project itself.",
      },
    ]);
  });
});

describe("documents that others wrote, in a project that is not trusted", () => {
  const waits = "session.md: written by others, so that nothing is drafted or noted here by itself.";

  it("are named by doctor and status as what waits for trust, and not any more once it is given", async () => {
    await using carryon = await openCarryon();
    await carryon.ask(["decide", "session-start", "Begin", "--context", "c", "--decision", "d"]);
    await put(carryon, "session.md", "# Session Handover\n\n**Session Goal**: theirs\n");
    const hint = "If you know who wrote them, trust the project with `carryon trust`.";
    expect((await examine(carryon)).notes).toContainEqual({ what: waits, hint });
    const status = async () => JSON.parse(await carryon.ask(["status", "--json"])).waits_for_trust;
    expect(await status()).toEqual(["session.md"]);
    expect(await carryon.ask(["status"])).toContain(
      `Trust    ${waits} \`carryon trust\` says that they count.\n`,
    );
    await carryon.ask(["trust"]);
    expect([await status(), (await examine(carryon)).notes]).toEqual([[], []]);
    expect(await carryon.ask(["status"])).not.toContain("Trust ");
  });
});
