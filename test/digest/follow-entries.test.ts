import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Digest, lineKey, startDigest } from "../../src/digest/digest.ts";
import { followEntries } from "../../src/digest/follow-entries.ts";
import { findNextStep, goalOf, judgeWork, listUncommitted } from "../../src/digest/judge-work.ts";
import { describeDigest } from "../../src/digest/sections.ts";
import { wrongLine } from "../../src/sessions/describing-events.ts";
import { digestOf, linesOf, morning } from "./digest-of.ts";
import { Story } from "./entries.ts";

describe("the digest of a session", () => {
  it("says what was asked, done, decided and found out", () => {
    const digest = digestOf(morning());
    expect(linesOf(digest, "Goal")).toEqual(["Add a discount to the basket, only for members"]);
    expect(linesOf(digest, "User")).toEqual(['"don\'t round in the basket, the invoice does that"']);
    expect(linesOf(digest, "State")).toEqual([
      "Last commit: 1a2b3c4 feat: discount for members (pushed)",
      "All files edited in this session were committed.",
    ]);
    expect(linesOf(digest, "Edited")).toEqual(["src/invoice.ts", "src/basket.ts"]);
    expect(linesOf(digest, "Findings")).toEqual([
      "The test fails because `Basket.total` rounds before the discount is taken off.",
    ]);
    expect(linesOf(digest, "Answer")[0]).toBe(
      "Members get the discount now; rounding is left to the invoice.",
    );
    expect(linesOf(digest, "Open")).toEqual([]);
  });

  it("leads with the request and the call at which a session broke off", () => {
    const digest = digestOf(
      new Story()
        .asks("Move the shop to PostgreSQL")
        .says("I'll start the migration.")
        .calls("Bash", { command: "npm run migrate" }),
    );
    expect(describeDigest(digest)[0]).toMatchObject({ name: "Open", title: "Interrupted" });
    expect(linesOf(digest, "Open")).toEqual([
      'Last request: "Move the shop to PostgreSQL"',
      "Last step: I'll start the migration.",
      "Last call: Bash npm run migrate (no result)",
    ]);
  });

  it("names the question that waits for the user", () => {
    const digest = digestOf(new Story().asks("Which database?").says("Both work. Shall I use PostgreSQL?"));
    expect(linesOf(digest, "Open")).toEqual(["Waiting for the user: Shall I use PostgreSQL?"]);
  });

  it("names edits that no commit has", () => {
    const story = new Story()
      .asks("Change it")
      .runs("git commit -m a", "[main 1111111] a\n")
      .edits("a.ts")
      .says("Done.");
    expect(linesOf(digestOf(story), "State")).toEqual([
      "Last commit: 1111111 a (not pushed in this session)",
      "At the end of the session: not committed: a.ts",
    ]);
  });

  it("believes neither the status of another repository nor one from before the edits", () => {
    const clean = "On branch main\nnothing to commit, working tree clean\n";
    const told = new Story()
      .asks("fix the login")
      .runs("cd /work/other && git status", clean)
      .runs("git -C /work/other commit -m x", "[main 1a2b3c4] x\n 1 file changed\n")
      .runs("git status", clean)
      .edits("src/login.ts")
      .runs("cd /work/other && git status", clean)
      .says("It is fixed.");
    const digest = digestOf(told);
    expect([judgeWork(digest), digest.commits]).toEqual(["open", []]);
    expect(linesOf(digest, "State")).toContain("At the end of the session: not committed: src/login.ts");
  });

  it("follows merges, and learns their names from a later log", () => {
    const story = new Story()
      .asks("Merge it")
      .runs("git commit -m 'feat: c'", "[main df396d3] feat: c\n 1 file changed, 1 insertion(+)\n")
      .edits("left.ts")
      .runs(
        "git merge x",
        "Merge made by the 'ort' strategy.\n b | 1 +\n 1 file changed, 1 insertion(+)\n create mode 100644 b\n",
      );
    const told = (digest: Digest) => digest.commits.map(({ sha, subject }) => `${sha} ${subject}`);
    expect(told(digestOf(story))).toEqual(["df396d3 feat: c", " Merge branch 'x'"]);
    story.runs("git log --oneline -2", "e592d47 Merge branch 'x'\ndf396d3 feat: c\n");
    expect(told(digestOf(story))).toEqual(["df396d3 feat: c", "e592d47 Merge branch 'x'"]);
    story
      .runs("git merge y", "Updating e592d47..c8eaa63\nFast-forward\n d | 1 +\n create mode 100644 d\n")
      .runs("git log --oneline -1", "c8eaa63 (HEAD -> main, y) feat: d\n");
    const digest = digestOf(story);
    expect([told(digest).at(-1), listUncommitted(digest), linesOf(digest, "Edited")]).toEqual([
      "c8eaa63 feat: d",
      ["left.ts"],
      ["left.ts"],
    ]);
  });

  it("takes a pull before the first commit for no commit, and the new name after a rebase", () => {
    const story = new Story().asks("Go").runs("git pull", "Updating e592d47..c8eaa63\nFast-forward\n");
    expect(digestOf(story).commits).toEqual([]);
    story
      .runs("git commit -m 'feat: e'", "[z 207bb9c] feat: e\n 1 file changed\n create mode 100644 e.ts\n")
      .runs("git rebase main", "Successfully rebased and updated refs/heads/z.\n")
      .runs("git log --oneline -1", "d14df83 feat: e\n");
    expect(linesOf(digestOf(story), "State")[0]).toContain("d14df83 feat: e");
    expect(linesOf(digestOf(story), "Edited")).toEqual(["e.ts"]);
  });

  it("follows the client's list of tasks and trackers in the shell", () => {
    const digest = digestOf(
      new Story()
        .asks("Work on it")
        .calls("TaskCreate", { subject: "Write the test" })
        .gets("Task #1 created successfully: Write the test")
        .calls("TaskCreate", { subject: "Write the code" })
        .gets("Task #2 created successfully: Write the code")
        .calls("TaskUpdate", { taskId: "1", status: "completed" })
        .gets("Updated task #1 status")
        .runs('bd close shop-7 --reason "discount works"', "closed"),
    );
    expect(linesOf(digest, "Tasks")).toEqual([
      "Open: Write the code",
      "Done (2): Write the test; shop-7 (discount works)",
    ]);
  });

  it("does not take what Carryon itself said for news", () => {
    const brief = "This is a record of earlier sessions in this project, kept by Carryon. Fix the login.";
    const story = new Story()
      .asks(brief)
      .asks("Go on")
      .runs("carryon search login", brief)
      .says("I know now.");
    const digest = digestOf(story);
    expect([digest.words.map(({ text }) => text), digest.checks.results]).toEqual([["Go on"], []]);
  });

  it("never shows a line again that was marked as wrong", () => {
    const story = morning();
    const line = "The test fails because `Basket.total` rounds before the discount is taken off.";
    expect(linesOf(digestOf(story), "Findings")).toEqual([line]);
    expect(linesOf(digestOf(story.happens(wrongLine, { line: lineKey(line) })), "Findings")).toEqual([]);
  });

  it("leaves a wrong sentence out of the answer that has it, which stays an answer", () => {
    const [wrong, right] = ["The cause is the cache, which is **never** emptied.", "Rounding comes first."];
    const story = new Story().asks("Why is it wrong?").says(`I looked.\n\n1. ${wrong} ${right}`);
    expect(linesOf(digestOf(story), "Answer")).toEqual([`I looked.\n\n1. ${wrong} ${right}`]);
    const [line = ""] = linesOf(digestOf(story), "Findings");
    expect(line).toBe("The cause is the cache, which is never emptied.");
    story.happens(wrongLine, { line: lineKey(line) });
    expect(linesOf(digestOf(story), "Answer")).toEqual([`I looked.\n\n1. ${right}`]);
    const alone = new Story()
      .asks("Why is it wrong?")
      .says(wrong)
      .happens(wrongLine, { line: lineKey(line) });
    expect([describeDigest(digestOf(alone)).map(({ name }) => name), judgeWork(digestOf(alone))]).toEqual([
      ["Goal", "State"],
      "done",
    ]);
  });

  it("never comes back to words, tasks, checks and questions that were marked as wrong", () => {
    const story = new Story()
      .asks("Add a discount to the basket")
      .asks("Add a tax to the invoice")
      .edits("src/basket.ts")
      .runs("npm test", "Tests  1 failed | 41 passed (42)\n", true)
      .runs("git commit -am wip", "[main 1111111] wip\n")
      .says("It is in. Shall I push?");
    const failed = linesOf(digestOf(story), "Checks")[0] ?? "";
    expect(findNextStep(digestOf(story))?.reason).toBe("question");
    story.happens(wrongLine, { line: lineKey("Waiting for the user: Shall I push?") });
    expect(findNextStep(digestOf(story))?.reason).toBe("check");
    story.happens(wrongLine, { line: lineKey(failed) });
    story.happens(wrongLine, { line: lineKey("Add a discount to the basket") });
    const digest = digestOf(story);
    expect([findNextStep(digest), judgeWork(digest), goalOf(digest, 80)]).toEqual([
      undefined,
      "done",
      "Add a tax to the invoice",
    ]);
    const shown = describeDigest(digest).flatMap(({ lines }) => lines.map(({ text }) => text));
    expect(shown.filter((text) => /discount|npm test|^Waiting/.test(text))).toEqual([]);
  });

  describe("of a client that was killed", () => {
    const call = "toolu_8fa700510a621591d78f9958";
    const write = { file_path: "/work/shop/rounding.ts" };
    const told = { tool_name: "Write", tool_use_id: call };
    const done = { ...told, tool_response: { type: "create" } };
    const begun = () => new Story().asks("Round the prices").says("I will round first.");
    const seen = (story: Story) => story.sees("PreToolUse", { ...told, tool_input: write });
    const facts = (story: Story) => [
      linesOf(digestOf(story), "Edited"),
      linesOf(digestOf(story), "Open").at(-1),
    ];
    const lastCall = "Last call: Write /work/shop/rounding.ts";

    it.each([
      { case: "by hooks alone", story: () => seen(begun()).sees("PostToolUse", done) },
      {
        case: "by a hook, and in the transcript its call alone",
        story: () => begun().calls("Write", write, call).sees("PostToolUse", done),
      },
      {
        case: "by hooks, and then in the transcript",
        story: () =>
          seen(begun()).sees("PostToolUse", done).calls("Write", write, call).gets("Created.", false, call),
      },
    ])("has the file of a call whose result was seen $case", ({ story }) => {
      expect(facts(story())).toEqual([["rounding.ts"], lastCall]);
      expect(judgeWork(digestOf(story()))).toBe("interrupted");
    });

    it.each([
      { case: "no result", story: () => seen(begun()), open: `${lastCall} (no result)` },
      {
        case: "a failure",
        story: () => seen(begun()).sees("PostToolUseFailure", { ...told, error: "No such folder" }),
        open: lastCall,
      },
    ])("has no file of a call of which hooks saw $case", ({ story, open }) => {
      expect(facts(story())).toEqual([[], open]);
    });

    it("follows a check once, whoever saw it first", () => {
      const bash = { tool_name: "Bash", tool_use_id: call };
      const output = "Tests  1 failed | 41 passed (42)\n";
      const story = begun()
        .sees("PreToolUse", { ...bash, tool_input: { command: "npm test" } })
        .sees("PostToolUseFailure", { ...bash, error: output })
        .calls("Bash", { command: "npm test" }, call)
        .gets(output, true, call)
        .says("It fails.");
      const digest = digestOf(story);
      expect(digest.checks.results).toMatchObject([{ command: "npm test", failures: 1 }]);
      expect(judgeWork(digest)).toBe("open");
    });

    it("is not interrupted by a call that the session went on after, or ended after", () => {
      const answered = seen(begun()).says("That was not allowed.");
      const ended = seen(begun()).happens("ended", { reason: "prompt_input_exit" });
      expect([answered, ended].map((story) => judgeWork(digestOf(story)))).toEqual(["done", "done"]);
    });
  });

  it("says how many tokens and how much time a session took", () => {
    const spent = { ...digestOf(morning()), tokens: { input: 120_000, output: 3400 } };
    const later = { ...spent, updatedAt: (spent.startedAt ?? 0) + 7_500_000 };
    expect(linesOf(later, "Spent")).toEqual(["120,000 tokens in, 3,400 out, in 2 h 5 min"]);
    expect(linesOf(digestOf(morning()), "Spent")).toEqual([]);
  });

  it("points each line to its entries", () => {
    const { entries } = morning();
    const ids = new Set(entries.map(({ id }) => id));
    const lines = describeDigest(digestOf(morning())).flatMap(({ lines }) => lines);
    expect(lines.flatMap(({ sources }) => sources).every(({ entry }) => ids.has(entry))).toBe(true);
  });

  it("is the same however the entries are cut into batches, and survives JSON", () => {
    const { entries } = morning();
    const whole = followEntries(startDigest("/work/shop"), entries);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: entries.length }), { maxLength: 5 }), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), entries.length];
        const batches = places.slice(1).map((to, index) => entries.slice(places[index], to));
        const folded = batches.reduce(
          (digest, batch) => JSON.parse(JSON.stringify(followEntries(digest, batch))) as Digest,
          startDigest("/work/shop"),
        );
        expect(folded).toEqual(JSON.parse(JSON.stringify(whole)));
      }),
    );
  });

  it("stays small however long the session is", () => {
    const story = new Story();
    for (let turn = 0; turn < 400; turn += 1)
      story
        .asks(`Please change module ${turn} so that it must not call the other one`)
        .says(`The problem is that module_${turn}.ts does not know the file \`part_${turn}.ts\`.`)
        .edits(`src/module_${turn}.ts`);
    expect(JSON.stringify(digestOf(story)).length).toBeLessThan(120_000);
  });
});
