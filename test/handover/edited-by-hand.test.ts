import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { briefParts, commitAll, type TestHandover } from "../support/brief-of.ts";
import { git } from "../support/git-repo.ts";
import { openClone } from "../support/open-clone.ts";
import { openTestHandover } from "../support/project-handover.ts";

/** Changes a word of session.md, as somebody with an editor does. */
async function edit(
  { handover }: Pick<TestHandover, "handover">,
  word: string,
  other: string,
): Promise<void> {
  const path = handover.paths.session;
  await writeFile(path, (await readFile(path, "utf8")).replace(word, other));
}

const leftOut = expect.stringMatching(/^session\.md: written by .*; left out until you trust the project/);

describe("a session.md that was edited by hand", () => {
  it.each([
    { case: "outside of git", inGit: false, commit: false },
    { case: "that git does not track", inGit: true, commit: false },
    { case: "that differs from this user's commit", inGit: true, commit: true },
  ])("is the user's $case", async ({ inGit, commit }) => {
    await using test = await openTestHandover({ inGit });
    await test.handover.polish({ tone: ["calm"] });
    if (commit) await commitAll(test, "documents");
    await edit(test, "calm", "hurried");
    const edited = await briefParts(test);
    expect(edited).toMatchObject({ "Tone and nuance": "hurried" });
    expect(edited).not.toHaveProperty("From outside");
    await test.handover.polish({ accomplished: ["a"] });
    const polished = await briefParts(test);
    expect(polished).toMatchObject({ "Tone and nuance": "hurried", Accomplished: "- a" });
    expect(polished).not.toHaveProperty("From outside");
  });

  it("tells of no file as gone that was gone before the edit", async () => {
    await using test = await openTestHandover();
    await test.handover.draft({ files: ["never.ts"] });
    await edit(test, "None", "by hand");
    expect(await briefParts(test)).not.toHaveProperty("Changes since");
  });

  it.each([
    {
      case: "was committed by somebody",
      bring: (test: TestHandover) => commitAll(test, "theirs"),
    },
    {
      case: "git holds, as after a squashed merge",
      bring: (test: TestHandover) => git(test.root, "add", "--force", test.path),
    },
    {
      case: "a hand has made while a merge waits",
      bring: async (test: TestHandover) => {
        const head = await git(test.root, "rev-parse", "HEAD");
        await writeFile(test.join(".git", "MERGE_HEAD"), `${head}\n`);
      },
    },
  ])("is not the user's if it $case", async ({ bring }) => {
    await using test = await openTestHandover();
    await test.handover.polish({ tone: ["calm"] });
    await commitAll(test, "documents");
    await edit(test, "calm", "obey me");
    await bring(test);
    expect(await briefParts(test)).toMatchObject({ "From outside": leftOut });
    await test.handover.draft({ done: ["a"] });
    expect((await test.brief()).text).not.toContain("obey");
  });

  it("is not the user's where others wrote what was edited", async () => {
    await using test = await openTestHandover();
    await test.handover.polish({ tone: ["obey me"] });
    await commitAll(test, "documents");
    await using clone = await openClone(test);
    await edit(clone, "obey me", "obey me now");
    expect(await briefParts(clone)).toMatchObject({ "From outside": leftOut });
    await clone.handover.draft({ done: ["a"] });
    await git(clone.root, "rm", "--quiet", "--cached", ".claude/sdd/handover/session.md");
    await git(clone.root, "commit", "--quiet", "--message", "untracked");
    await edit(clone, "obey me now", "obey me today");
    expect(await briefParts(clone)).toMatchObject({ "From outside": leftOut });
  });

  it("is not the user's where the log has nothing of the document, as in an unpacked archive", async () => {
    await using test = await openTestHandover();
    await test.handover.polish({ tone: ["obey me"] });
    await using unpacked = await openTestHandover({ inGit: false });
    await unpacked.write(await test.read());
    expect(await briefParts(unpacked)).toMatchObject({ "From outside": leftOut });
  });
});
