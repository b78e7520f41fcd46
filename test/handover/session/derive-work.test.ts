import { describe, expect, it } from "vitest";
import { startDigest } from "../../../src/digest/digest.ts";
import { followEntries } from "../../../src/digest/follow-entries.ts";
import type { RecordedWork } from "../../../src/handover/recorded-work.ts";
import { deriveWork, type WorkContext } from "../../../src/handover/session/derive-work.ts";
import { Story } from "../../digest/entries.ts";

const request = "Add a discount code to the cart, but never for gift cards.";

/** Returns the recorded work of one session. */
function workOf(story: Story, title = ""): RecordedWork {
  const digest = followEntries(startDigest("/work/shop"), story.entries);
  return { title, own: digest, whole: digest };
}

/** Derives with documents that are kept out of commits, unless the test says otherwise. */
function derive(work: RecordedWork, context: Partial<WorkContext> = {}) {
  return deriveWork(work, {
    documents: "private",
    since: undefined,
    subjects: [],
    uncommitted: undefined,
    ...context,
  });
}

const todos = (list: object[]) => JSON.stringify(list);
const addTodos = (story: Story, list: { content: string; status: string }[]) =>
  story
    .calls("TodoWrite", { todos: list as unknown as string })
    .gets(`Todos have been modified: ${todos(list)}`);

describe("a session.md that recorded work fills", () => {
  it("quotes the first request only where the document is not committed", () => {
    const work = workOf(new Story().asks(request).edits("src/cart.ts").says("Done."), "Discount codes");
    expect(derive(work)).toMatchObject({ goal: request, next: "Review the edited file and commit." });
    expect(derive(work, { documents: "committed" })).toMatchObject({
      goal: "Discount codes",
      next: "Review the edited file and commit.",
    });
  });

  it.each([
    { case: "is the request", title: request },
    { case: "has the request in it", title: `Shop: ${request}` },
    { case: "is a part of the request", title: "Add a discount code to the cart" },
  ])("has no goal in a committed document when the title $case", ({ title }) => {
    const work = workOf(new Story().asks(request).says("Done."), title);
    expect(derive(work, { documents: "committed" }).goal).toBe("");
  });

  it.each([
    "Please be brief.",
    "You are too verbose, get to the point.",
    "Ask me before you touch the database.",
    "Don't ask me for permission each time.",
    "Shorter answers, please.",
    "I prefer short explanations with one example.",
    "Keep your answers short.",
    "No emojis and no apologies.",
    "Stop guessing, look it up.",
    "One step at a time, I want to follow.",
    "Answer in German from now on.",
    "Explain it to me in plain words.",
  ])("suggests for the tone what is about it: %s", (said) => {
    const story = new Story().asks(`${request} ${said}`).says("Done.");
    expect(derive(workOf(story)).suggestions.tone).toEqual([said]);
  });

  it.each([
    "No new packages.",
    "The API must never return null.",
    "Ask the user for a password before the file is deleted.",
    "The answer of the server should be shorter than one megabyte.",
    "Always round down, and keep the names short.",
    "Be sure that old files can still be read.",
    "Don't use any library, write the parser by hand.",
    "Show the questions of the form in two columns.",
    "The description must be concise.",
  ])("suggests no tone from a requirement: %s", (said) => {
    const refusal =
      "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:";
    const story = new Story()
      .asks(request)
      .runs("npm i x", `${refusal}\n${said}`, true)
      .asks(said)
      .says("Done.");
    expect(derive(workOf(story)).suggestions.tone).toEqual([]);
  });

  it.each([
    {
      case: "an interrupted request",
      story: new Story().asks(request).calls("Bash", { command: "npm test" }),
      own: `Go on with the interrupted request: "${request}"`,
      committed: "Go on with the request that was interrupted.",
    },
    {
      case: "a question",
      story: new Story().asks(request).edits("src/cart.ts").says("Shall gift cards have codes of their own?"),
      own: "The user has not answered yet: Shall gift cards have codes of their own?",
      committed: "Answer the question with which the session ended.",
    },
    {
      case: "a task in the user's words",
      story: addTodos(new Story().asks(request), [{ content: request, status: "in_progress" }]).says(
        "So far.",
      ),
      own: `Go on with the task: ${request}`,
      committed: "Go on with the open task.",
    },
    {
      case: "a task",
      story: addTodos(new Story().asks(request), [
        { content: "Parse codes", status: "completed" },
        { content: "Check the expiry date", status: "pending" },
      ]).says("So far."),
      own: "Go on with the task: Check the expiry date",
      committed: "Go on with the task: Check the expiry date",
    },
    {
      case: "a failing check",
      story: new Story()
        .asks(request)
        .runs("npm test", "Tests  1 failed | 8 passed (9)", true)
        .says("So far."),
      own: "Run `npm test` again: it failed and was not run since.",
      committed: "Run `npm test` again: it failed and was not run since.",
    },
    { case: "nothing", story: new Story().asks(request).says("Done."), own: undefined, committed: undefined },
  ])("says what is next after $case", ({ story, own, committed }) => {
    const work = workOf(story);
    expect([derive(work).next, derive(work, { documents: "committed" }).next]).toEqual([own, committed]);
  });

  it("does not ask for a commit of files that somebody has committed", () => {
    const work = workOf(new Story().asks(request).edits("src/cart.ts").edits("src/code.ts").says("Done."));
    expect(derive(work, { uncommitted: [] }).next).toBeUndefined();
    expect(derive(work, { uncommitted: ["shop/src/code.ts", "other.ts"] }).next).toBe(
      "Review the edited file and commit.",
    );
  });

  it("lists the session's commits that are still there and the finished tasks, since the last draft", () => {
    const story = addTodos(
      new Story()
        .asks(request)
        .runs("git commit -m 'Add codes'", "[main 1111111] Add codes\n 1 file changed")
        .runs(
          "git commit --amend -m 'Add discount codes'",
          "[main 2222222] Add discount codes\n 1 file changed",
        ),
      [
        { content: "Parse codes", status: "completed" },
        { content: "Check dates", status: "pending" },
      ],
    ).says("So far.");
    const work = workOf(story);
    const subjects = ["Merged by somebody else", "Add discount codes"];
    expect(derive(work, { subjects }).done).toEqual(["Add discount codes", "Parse codes"]);
    const since = new Date(work.own.commits.at(-1)?.at ?? 0);
    expect(derive(work, { subjects, since }).done).toEqual(["Parse codes"]);
  });

  it("warns of a check until it passes", () => {
    const story = new Story().asks(request).runs("npm test", "Tests  1 failed | 8 passed (9)", true);
    expect(derive(workOf(story)).failing).toEqual(["`npm test` failed and was not run again since."]);
    expect(derive(workOf(story.runs("npm test", "Tests  9 passed (9)"))).failing).toEqual([]);
  });

  it("suggests answers of the user and what was said of the tone, and only where they are not committed", () => {
    const story = new Story()
      .asks(request)
      .calls("AskUserQuestion", { question: "Which store?" })
      .gets('User has answered your questions: "Which store?"="SQLite". You can now continue.')
      .calls("Bash", { command: "npm install left-pad" })
      .gets(
        "The user doesn't want to proceed with this tool use. To tell you how to proceed, the user said:\nNo new packages. Ask me first.",
        true,
      )
      .says("Without it, then.");
    const work = workOf(story);
    expect(derive(work).suggestions).toEqual({
      decisions: ['"Which store?"="SQLite"'],
      tone: ["Ask me first."],
    });
    expect(derive(work, { documents: "committed" }).suggestions).toEqual({ decisions: [], tone: [] });
  });
});
