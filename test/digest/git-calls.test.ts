import { describe, expect, it } from "vitest";
import { listUncommitted } from "../../src/digest/judge-work.ts";
import { describeDigest } from "../../src/digest/sections.ts";
import { wrongLine } from "../../src/sessions/describing-events.ts";
import { digestOf, morning } from "./digest-of.ts";
import { Story } from "./entries.ts";

describe("the state of a session", () => {
  it("follows commits that print nothing or have no branch, and files whose changes were thrown away", () => {
    const story = new Story()
      .asks("Go")
      .edits("a.ts")
      .edits("b.ts")
      .runs("git checkout -- b.ts", "Updated 1 path");
    const files = () => digestOf(story).edited.map(({ path }) => path);
    expect(files()).toEqual(["a.ts"]);
    story.runs("git add -A && git commit -qm 'feat: a' && git log --oneline -1", "1a2b3c4 feat: a\n");
    story.runs("git commit -q -m 'never made'", "Exit code 1\nnothing to commit", true).edits("a.ts");
    story
      .runs("git commit -am b", "[detached HEAD 2b3c4d5] feat: b\n")
      .edits("c.ts")
      .runs("git reset --hard", "HEAD is now");
    expect(files()).toEqual(["a.ts"]);
    expect(digestOf(story).commits).toMatchObject([
      { sha: "1a2b3c4", subject: "feat: a" },
      { sha: "2b3c4d5", branch: "detached HEAD", subject: "feat: b" },
    ]);
    const state = describeDigest(digestOf(story), { branch: "main" }).find(({ name }) => name === "State");
    expect(state?.lines.map(({ text }) => text)).toContain(
      "Last commit: 2b3c4d5 feat: b on detached HEAD (not pushed in this session)",
    );
  });

  it.each([
    ["git reset --soft HEAD~1", ["feat: a"], ["b.ts"]],
    ["git reset HEAD^^", [], ["a.ts", "b.ts"]],
    ["git reset --hard HEAD~", ["feat: a"], []],
    ["git reset --soft HEAD~2 && git commit -qm 'feat: both'", ["feat: both"], []],
    ["git reset HEAD b.ts", ["feat: a", "feat: b"], []],
  ])("takes commits back with %s", (command, subjects, left) => {
    const story = new Story().asks("Go").edits("a.ts").runs("git commit -am a", "[main 1a2b3c4] feat: a\n");
    story.edits("b.ts").runs("git commit -am b", "[main 2b3c4d5] feat: b\n").runs(command, "");
    const digest = digestOf(story);
    expect([digest.commits.map(({ subject }) => subject), listUncommitted(digest)]).toEqual([subjects, left]);
  });

  it("counts no commit in a folder beside this one, and no push of a tag alone", () => {
    const story = new Story()
      .asks("Go")
      .edits("a.ts")
      .runs("cd ../shop2 && git commit -am x", "[main 1a2b3c4] x\n");
    expect(digestOf(story).commits).toEqual([]);
    story.runs("cd src && git commit -am a", "[main 2b3c4d5] feat: a\n");
    story.runs("git push origin v1", "To github.com:ada/shop\n * [new tag]         v1 -> v1\n");
    expect([digestOf(story).commits.length, digestOf(story).push]).toEqual([1, null]);
  });

  it("knows the subject of a quiet commit from the text that it is given", () => {
    const story = new Story().asks("Go").runs("git commit -qF - <<'EOF'\nfix: round\n\nmore\nEOF", "");
    expect(digestOf(story).commits.map(({ subject }) => subject)).toEqual(["fix: round"]);
  });

  it("took as long as its work, whatever lines are marked later", () => {
    const story = morning();
    const { updatedAt } = digestOf(story);
    expect(digestOf(story.happens(wrongLine, { line: "a" })).updatedAt).toBe(updatedAt);
  });
});
