import { describe, expect, it } from "vitest";
import { findNextStep, isTrivial, judgeWork, overtakes } from "../../src/digest/judge-work.ts";
import { digestOf, linesOf, morning } from "./digest-of.ts";
import { Story } from "./entries.ts";

describe("the checks and tasks of a session", () => {
  it("shows the last result of a check alone: a pass takes the failure before it away", () => {
    expect(linesOf(digestOf(morning()), "Checks")).toEqual(["npm test → Tests 42 passed (42)"]);
    const failed = digestOf(new Story().asks("fix it").runs("npm test", "Tests  1 failed (42)\n", true));
    expect(linesOf(failed, "Checks")[0]).toMatch(/^npm test → failed: .*\(not run again since\)$/);
  });

  it("knows nothing of a check in the background until its end is told, and keeps what is known of the one before", () => {
    const story = new Story().asks("test it").edits("a.ts").begins("npm test", "toolu_1");
    const begun = digestOf(story.says("It runs."));
    expect(linesOf(begun, "Checks")).toEqual(["Run, result not seen: npm test"]);
    expect(findNextStep(begun)?.text).toBe("See how `npm test` ended: it was started in the background.");
    const failed = digestOf(story.hearsOf("toolu_1", 1));
    expect(linesOf(failed, "Checks")).toEqual(["npm test → failed (not run again since)"]);
    const again = digestOf(story.edits("a.ts").begins("npm test", "toolu_2").says("It runs again."));
    expect(linesOf(again, "Checks")).toEqual(["npm test → failed (started again since, end not seen)"]);
    expect(judgeWork(again)).toBe("open");
    expect(linesOf(digestOf(story.hearsOf("toolu_2", 0)), "Checks")).toEqual(["Passed: npm test"]);
  });

  it("does not ask for a commit that the user does not want yet", () => {
    const next = (...asked: readonly string[]) => {
      const story = new Story().edits("a.ts");
      for (const text of asked) story.asks(text).says("Done.");
      return findNextStep(digestOf(story))?.text;
    };
    expect(next("fix it")).toBe("Review the edited file and commit.");
    expect(next("fix it", "please don't commit yet, Jens looks first")).toBe(
      "Review the edited file; the user wants no commit yet.",
    );
    expect(next("bitte noch nicht committen")).toBe("Review the edited file; the user wants no commit yet.");
    expect(next("don't commit yet", "no, commit it")).toBe("Review the edited file and commit.");
  });

  it("leaves work open whose plan was not begun", () => {
    const story = new Story().asks("Plan it").calls("ExitPlanMode", { plan: "1. Add the rule" });
    story
      .gets("The user doesn't want to proceed with this tool use.", true)
      .asks("why?")
      .says("It is safer.");
    const digest = digestOf(story);
    expect(judgeWork(digest)).toBe("open");
    expect(findNextStep(digest)?.text).toBe("Settle the plan that was not begun: 1. Add the rule");
    const begun = story.edits("a.ts").runs("git commit -am x", "[main 1a2b3c4] x\n").says("Done.");
    expect(judgeWork(digestOf(begun))).toBe("done");
  });

  it.each([
    "The discount is in. Still to do: the README and the retry header.",
    "Done.\n\n**Remaining:** README, then the version.",
    "Fine. Open: README.md and Retry-After.",
    "I have not written the README yet.",
    "All merged; please run `git push origin main` yourself.",
    "Fertig. Noch offen: die README.",
  ])("leaves work open of which the assistant says that something is left: %s", (answer) => {
    const story = new Story().asks("Add it").edits("a.ts").runs("git commit -am x", "[main 1a2b3c4] x\n");
    const digest = digestOf(story.says(answer));
    expect(judgeWork(digest)).toBe("open");
    expect(findNextStep(digest)?.text).toMatch(/^The assistant named what is left: \S/);
    expect(judgeWork(digestOf(story.asks("thanks, that is all").says("You are welcome.")))).toBe("done");
  });

  it.each(["It is done. Remaining: none.", "Everything passes. Next time I would begin with the test."])(
    "calls work done of which nothing is said to be left: %s",
    (answer) => {
      const story = new Story().asks("Add it").edits("a.ts").runs("git commit -am x", "[main 1a2b3c4] x\n");
      expect(judgeWork(digestOf(story.says(answer)))).toBe("done");
    },
  );

  it("takes the commits of a repository that was made to try something out for no work", () => {
    const made =
      "Initialized empty Git repository in /private/tmp/try/.git/\n[main (root-commit) 1a2b3c4] init\n";
    const story = new Story().asks("Does git ignore it?").runs("cd /tmp && mkdir try && git init", made);
    expect(digestOf(story).commits).toEqual([]);
  });

  it("takes the subject of a merge from its message", () => {
    const story = new Story().runs(
      "git merge --no-ff -m 'Merge the rounding' fix/x",
      "Merge made by the 'ort' strategy.\n",
    );
    expect(digestOf(story).commits.map(({ subject }) => subject)).toEqual(["Merge the rounding"]);
  });

  it("names a check whose result was hidden, until one is seen", () => {
    const story = new Story().asks("fix it").runs("make test 2>&1 | grep -i cart", "cart\n");
    expect(linesOf(digestOf(story), "Checks")).toEqual(["Run, result not seen: make test"]);
    expect(judgeWork(digestOf(story.says("It is fixed.")))).toBe("done");
    story.runs("make test", "All 12 tests passed\n");
    expect(linesOf(digestOf(story), "Checks")).toEqual(["make test → All 12 tests passed"]);
  });

  it("names the test that failed, though the end of the output alone was seen", () => {
    const end = "failures:\n    tab_folds_too\n\ntest result: FAILED. 4 passed; 1 failed; 0 ignored\n";
    const story = new Story().asks("fix it").runs("cargo test -q 2>&1 | tail -25", end);
    expect(linesOf(digestOf(story), "Checks")).toEqual([
      "cargo test -q → failed: tab_folds_too (not run again since)",
    ]);
  });

  it("takes files that were built without their package for a wrong call", () => {
    const output =
      "Exit code 1\n# command-line-arguments [command-line-arguments.test]\n" +
      "./helpers.go:31:44: undefined: headers\nFAIL\tcommand-line-arguments [build failed]\nFAIL\n";
    const story = new Story().asks("fix it").runs("go test ./helpers_test.go ./helpers.go", output, true);
    expect(linesOf(digestOf(story), "Checks")).toEqual([]);
  });

  it("claims a failure no longer when the same filter shows none", () => {
    const command = 'cargo test 2>&1 | grep -E "FAILED|panicked"';
    const story = new Story()
      .asks("fix it")
      .runs(command, "test result: FAILED. 1 passed; 1 failed; 0 ignored\n");
    expect(linesOf(digestOf(story), "Checks")[0]).toContain("(not run again since)");
    expect(linesOf(digestOf(story.runs(command, "Exit code 1", true)), "Checks")).toEqual([
      "Run, result not seen: cargo test",
    ]);
  });

  it("claims a failure no longer when the end of a later run shows none", () => {
    const failed = () => new Story().asks("build").runs("npm run build", "error TS2322: no\n", true);
    expect(linesOf(digestOf(failed()), "Checks")[0]).toMatch(/^npm run build → failed/);
    const again = failed().runs("npm run build 2>&1 | tail -5", "built in 300ms\n").says("It builds.");
    expect(linesOf(digestOf(again), "Checks")).toEqual(["Run, result not seen: npm run build"]);
    expect(judgeWork(digestOf(again))).toBe("done");
    const still = failed().runs("npm run build 2>&1 | tail -5", "error TS2322: no\n");
    expect(linesOf(digestOf(still), "Checks")[0]).toMatch(/^npm run build → failed/);
  });

  it("words a failure as past once other checks of the whole passed and work was committed", () => {
    const story = new Story()
      .asks("fix it")
      .runs("pytest tests/test_cart.py", "Exit code 1\n=== 1 failed in 0.1s ===\n", true)
      .runs("npm test", "Tests  42 passed (42)\n")
      .runs("git commit -am wip", "[main 1111111] wip\n")
      .says("It is in.");
    const digest = digestOf(story);
    expect([linesOf(digest, "Checks"), judgeWork(digest)]).toEqual([
      [
        "npm test → Tests 42 passed (42)",
        "Failed before other runs passed and work was committed: pytest tests/test_cart.py",
      ],
      "done",
    ]);
  });

  it("takes a task for done when a commit did it, though nobody ticked it off", () => {
    const list = (state: string) => [
      { content: "Add the discount to the invoice", status: state, activeForm: "" },
    ];
    const told = new Story()
      .asks("discounts")
      .calls("TodoWrite", { todos: list("in_progress") })
      .gets("ok");
    expect(linesOf(digestOf(told), "Tasks")).toEqual(["In progress: Add the discount to the invoice"]);
    told.runs("git commit -m x", "[main 1a2b3c4] fix: round the tax\n 1 file changed\n");
    expect(linesOf(digestOf(told), "Tasks")).toEqual(["In progress: Add the discount to the invoice"]);
    told.runs("git commit -m y", "[main 2b3c4d5] feat: add discount to invoice\n 1 file changed\n");
    expect(linesOf(digestOf(told), "Tasks")).toEqual(["Done (1): Add the discount to the invoice"]);
  });

  it("takes a task for done also when more commits were made than are kept", () => {
    const todos = [{ content: "Add the discount to the invoice", status: "in_progress", activeForm: "" }];
    const told = new Story().asks("discounts").calls("TodoWrite", { todos }).gets("ok");
    for (let made = 0; made < 41; made += 1)
      told.runs("git commit -m x", `[main 1a2b3${made + 10}] fix: number ${made}\n 1 file changed\n`);
    told.runs("git commit -m y", "[main 2b3c4d5] feat: add discount to invoice\n 1 file changed\n");
    expect(linesOf(digestOf(told), "Tasks")).toEqual(["Done (1): Add the discount to the invoice"]);
  });
});

describe("a push that was refused", () => {
  const rejected =
    "To /r.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs to '/r.git'\n";
  const hook =
    "remote: no direct pushes\nTo /r.git\n ! [remote rejected] feat -> feat (pre-receive hook declined)\n";
  const committed = () =>
    new Story().asks("Fix it").edits("a.ts").runs("git commit -am a", "[main 1111111] a\n");

  it.each<readonly [output: string, reason: string]>([
    [rejected, "fetch first"],
    [hook, "pre-receive hook declined"],
    [
      "fatal: 'x' does not appear to be a git repository\nfatal: Could not read from remote repository.\n",
      "Could not read from remote repository.",
    ],
    [
      "fatal: unable to access 'https://127.0.0.1:1/x.git/': Failed to connect\n",
      "unable to access 'https://127.0.0.1:1/x.git/': Failed to connect",
    ],
    [
      "fatal: The current branch feat has no upstream branch.\n",
      "The current branch feat has no upstream branch.",
    ],
    ["tests failed\nerror: failed to push some refs to '/r.git'\n", "failed to push some refs"],
  ])("leaves work open: %j", (output, reason) => {
    const story = committed().runs("git push", output, true).says("It is committed.");
    expect([
      judgeWork(digestOf(story)),
      findNextStep(digestOf(story)),
      linesOf(digestOf(story), "State")[0],
    ]).toEqual([
      "open",
      { reason: "push", text: `Push the commits: the last push was refused (${reason}).` },
      `Last commit: 1111111 a (the push was refused: ${reason})`,
    ]);
  });

  it("is not open that went through later, that the user took over, or that was none", () => {
    const refused = () => committed().runs("git push", rejected, true);
    const stories = [
      refused().runs("git pull --rebase && git push", "To /r.git\n   1111111..2222222  main -> main\n"),
      refused().says("It was refused.").asks("leave it, I'll push it myself"),
      committed().runs("git push --dry-run", rejected, true),
      committed().runs('git stash push -m "x"', "fatal: unable to access '.git': no\n", true),
    ];
    expect(stories.map((story) => judgeWork(digestOf(story.says("It is committed."))))).toEqual([
      "done",
      "done",
      "done",
      "done",
    ]);
  });
});

it("takes a session for more than small talk whose check still fails", () => {
  const told = new Story().asks("Does it work?").runs("npm test", "Tests  1 failed (4)\n", true).says("No.");
  expect([isTrivial(digestOf(told)), judgeWork(digestOf(told))]).toEqual([false, "open"]);
});

it("tells what work has made of a step that somebody gave", () => {
  const given = (minutes = 12) => {
    const story = new Story().asks("Add a discount").says("It is there.");
    for (let minute = 0; minute < minutes; minute += 2) story.runs("ls", "a.ts");
    return story;
  };
  const after = (story: Story) =>
    overtakes(digestOf(story), "Write the parser", new Date("2026-11-18T09:02:00Z"));
  expect([
    after(given()),
    after(given().asks("thanks")),
    after(given(0).asks("one word more before I go")),
    after(given().asks("now rename the shop")),
    after(given().asks("go on").edits("parser.ts")),
    after(given().asks("go on").runs("git commit -m p", "[main 1a2b3c4] feat: write the parser\n")),
  ]).toEqual([undefined, undefined, undefined, "newer", "newer", "done"]);
});
