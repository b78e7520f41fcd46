import { mkdir, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { git } from "../support/git-repo.ts";
import { type HookedProject, minute, one, openHookedProject, two } from "../support/hooked-project.ts";

const request = "Please teach the cart to take discount codes, and keep gift cards out of it.";

/** The agent runs a command that prints something. */
async function run(project: HookedProject, at: Date, command: string, output: string, failed = false) {
  const id = `toolu_${at.getTime()}`;
  const call = { type: "tool_use", id, name: "Bash", input: { command } };
  await project.say(one, at, { type: "assistant", message: { id, role: "assistant", content: [call] } });
  const result = { type: "tool_result", tool_use_id: id, content: output, is_error: failed };
  await project.say(one, at, { type: "user", message: { role: "user", content: [result] } });
}

const answer = (project: HookedProject, session: string, at: Date, text: string) =>
  project.say(session, at, {
    type: "assistant",
    message: { id: `msg_${at.getTime()}`, role: "assistant", content: [{ type: "text", text }] },
  });

/** A session that was asked for something, edited a file, and saw its tests fail. */
async function work(project: HookedProject) {
  await project.prompt(one, minute(1), request);
  await project.use(one, minute(2), "Write", { file_path: project.join("src/cart.ts"), content: "a" });
  await project.write(minute(2), "src/cart.ts", "a");
  await run(project, minute(3), "npm test", "Tests  1 failed | 8 passed (9)", true);
  await answer(project, one, minute(4), "The code is there; a test fails.");
  await project.stop(one, minute(5));
  await project.sync(minute(6));
}

describe("a draft of a recorded session", () => {
  it("has its goal, its next step, its failing check and its files", async () => {
    await using project = await openHookedProject();
    await work(project);
    expect(await project.doc()).toEqual({
      generated: "2040-01-01",
      branch: "main",
      goal: request,
      mode: "auto-draft",
      nextAction: "Run `npm test` again: it failed and was not run since.",
      activeGoals: "",
      continuing: "",
      added: "",
      warnings: "- `npm test` failed and was not run again since.",
      tone: "",
      exceptions: "",
      accomplished: "",
      modifiedFiles: "- `src/cart.ts`",
      resume: "1. Read this file.\n2. Run `npm test` again: it failed and was not run since.",
    });
  });

  it("has no words of the user where the documents are committed", async () => {
    await using project = await openHookedProject();
    await mkdir(project.join(".claude/sdd/handover"), { recursive: true });
    await writeFile(project.join(".claude/sdd/handover/buffer.md"), "# Handover Buffer\n");
    await project.commit(minute(0), "Keep the handover");
    await project.trust();
    await work(project);
    expect(await project.doc()).toMatchObject({
      goal: "",
      nextAction: "Run `npm test` again: it failed and was not run since.",
      warnings: "- `npm test` failed and was not run again since.",
    });
    const documents = `${await project.read("session.md")}${await project.read("decisions.md")}`;
    for (const words of request.split(/[,.]/).filter((each) => each !== ""))
      expect(documents).not.toContain(words.trim());
  });

  it("loses the words of the user when the documents come to be committed", async () => {
    await using project = await openHookedProject();
    await work(project);
    await git(project.root, "add", "--force", ".claude/sdd/handover/session.md");
    await project.prompt(one, minute(10), "Write one more file");
    await project.use(one, minute(11), "Write", { file_path: project.join("more.ts"), content: "" });
    await project.write(minute(11), "more.ts", "");
    await answer(project, one, minute(12), "It is written.");
    await project.stop(one, minute(13));
    await project.sync(minute(14));
    expect((await project.doc()).goal).toBe("");
    expect(await project.read("session.md")).not.toContain("discount");
  });

  it("follows the work: a pass takes the warning away, and a commit is told as done", async () => {
    await using project = await openHookedProject();
    await work(project);
    await run(project, minute(7), "npm test", "Tests  9 passed (9)");
    await project.commit(minute(8), "Take discount codes");
    await run(project, minute(8), "git commit -m x", "[main 1234567] Take discount codes\n 1 file changed");
    await answer(project, one, minute(9), "All done.");
    await project.stop(one, minute(10));
    await project.sync(minute(11));
    expect(await project.doc()).toMatchObject({
      goal: request,
      nextAction: "Wait for the user's instruction.",
      warnings: "",
      accomplished: "- Take discount codes",
    });
  });

  it("takes the last answer from the hook where the transcript does not have it yet", async () => {
    await using project = await openHookedProject();
    await project.prompt(one, minute(1), request);
    await project.write(minute(2), "src/cart.ts", "a");
    await run(project, minute(3), "cat src/cart.ts", "a");
    await project.stop(one, minute(4), { last_assistant_message: "It works. Shall I commit it?" });
    await project.sync(minute(5));
    expect((await project.doc()).nextAction).toBe("The user has not answered yet: Shall I commit it?");
  });

  it("leaves the goal and the warnings of a person, what they removed, and the next action until a newer request", async () => {
    await using project = await openHookedProject();
    await work(project);
    const polish = { session: one, goal: "Discounts", next: ["Ask Ann"], warnings: ["none", "Slow tests"] };
    await project.handover(minute(7), (each) => each.polish(polish));
    await project.stop(one, minute(8));
    for (const [turn, nextAction] of [
      [10, "Ask Ann"],
      [20, "Run `npm test` again: it failed and was not run since."],
    ] as const) {
      await project.prompt(one, minute(turn), `Go on with part ${turn} of the discount codes`);
      await project.use(one, minute(turn + 1), "Write", {
        file_path: project.join(`${turn}.ts`),
        content: "",
      });
      await project.write(minute(turn + 1), `${turn}.ts`, "");
      await answer(project, one, minute(turn + 2), "It is written.");
      await project.stop(one, minute(turn + 3));
      expect(await project.sync(minute(turn + 4))).toMatchObject({ drafted: [{ session: one }] });
      expect(await project.doc()).toMatchObject({
        ...{ mode: "auto-draft", goal: "Discounts", nextAction, warnings: "- Slow tests" },
      });
    }
  });

  it("has the goal of the session that goes on, not of the one before", async () => {
    await using project = await openHookedProject();
    await work(project);
    await project.prompt(two, minute(20), "Rename the shop to Market");
    await project.use(two, minute(21), "Write", { file_path: project.join("name.ts"), content: "" });
    await project.write(minute(21), "name.ts", "");
    await answer(project, two, minute(22), "It has the new name.");
    await project.stop(two, minute(23));
    await project.sync(minute(24));
    expect(await project.doc()).toMatchObject({
      goal: "Rename the shop to Market",
      nextAction: "Review the edited file and commit.",
      warnings: "",
    });
  });
});
