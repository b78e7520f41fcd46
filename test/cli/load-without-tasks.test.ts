import { describe, expect, it } from "vitest";
import type { NewEntry } from "../../src/sessions/entry.ts";
import { message, ran, text } from "../support/recorded-work.ts";
import { openWork, type Work } from "../support/work-project.ts";

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** A session that edited a file and committed nothing. */
const unfinished = (): readonly NewEntry[] => [
  message(minutesAgo(30), "user", text("Move the shop to PostgreSQL")),
  ...ran(minutesAgo(29), { name: "Edit", input: { file_path: "b.ts" }, output: "Updated." }),
  message(minutesAgo(28), "assistant", text("It is in.")),
];

async function commit(work: Work, subject: string): Promise<void> {
  await work.git("commit", "--quiet", "--allow-empty", "--message", subject);
}

/** Returns what is said to come next, and what to do. */
async function loaded(work: Work): Promise<readonly string[]> {
  const { stdout } = await work.call(["load"]);
  const lines = stdout.split("\n");
  return [...lines.filter((line) => line.startsWith("Next ")), lines.at(-2) ?? ""];
}

const unknown = [
  "Next     no next step is known: say what comes next with `carryon save --next`",
  "Ask what comes next: no next step is known.",
];

describe("carryon load without tasks", () => {
  it("does not go on with the last commit, whose subject a save took", async () => {
    await using work = await openWork();
    await commit(work, "Fix the typo");
    await work.write({ "a.txt": "changed\n" });
    await work.call(["save"]);
    expect((await work.state()).working_on).toBe("Fix the typo");
    expect(await work.git("log", "-1", "--format=%s")).toBe("WIP: Fix the typo - checkpoint");
    expect(await loaded(work)).toEqual(unknown);
    expect((await work.call(["load", "--resume"])).stdout).toContain("\nAsk what comes next");
    expect(await work.answer(["load"], {})).toMatchObject({ asked: "What now?\n  Continue\n  A new task" });
  });

  it("does not go on with a commit that others have followed, or that another branch has", async () => {
    await using work = await openWork();
    await work.git("checkout", "-qb", "feature");
    await commit(work, "Fix the typo");
    await work.call(["save"]);
    await commit(work, "Fix another");
    await work.call(["save"]);
    await work.git("checkout", "-q", "main");
    expect(await loaded(work)).toEqual(unknown);
  });

  it("goes on with what a person said, until a commit is called so", async () => {
    await using work = await openWork();
    await work.write({ "a.txt": "changed\n" });
    await work.call(["save", "-m", "The form"]);
    expect(await loaded(work)).toEqual(["Next     The form", "Go on with: The form"]);
    await work.git("commit", "--quiet", "--amend", "--message", "The form");
    expect(await loaded(work)).toEqual(unknown);
  });

  it("says what the recorded work calls for where the state says nothing", async () => {
    await using work = await openWork();
    await work.call(["save"]);
    await work.write({ "b.ts": "changed\n" });
    await work.record("one", unfinished());
    const step = "Review the edited file and commit.";
    expect(await loaded(work)).toEqual([`Next     ${step}`, step]);
    const { asked, stdout } = await work.answer(["load"], { choices: ["Continue"] });
    const choices = ["Commit the changes", "Stash the changes", "Continue", "A new task"];
    expect([asked, stdout.split("\n").at(-2)]).toEqual([["What now?", ...choices].join("\n  "), step]);
    await work.call(["save", "-m", "The form"]);
    expect(await loaded(work)).toEqual(["Next     The form", "Go on with: The form"]);
  });

  it("says that no task is left where all are done", async () => {
    await using work = await openWork();
    await work.call(["save", "-m", "The form", "--done", "form"]);
    expect(await loaded(work)).toEqual([
      "Next     no task is left: say what comes next with `carryon save --next`",
      "Ask what comes next: no task is left.",
    ]);
  });
});
