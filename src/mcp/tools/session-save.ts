import { z } from "zod";
import { adds, defineTool, lines, words } from "../tool.ts";

export const sessionSave = defineTool({
  name: "session_save",
  title: "Save where the work stands",
  description:
    "Saves a checkpoint as `carryon save` does: commits the work tree as a WIP commit, with the user's git hooks, and writes " +
    "branch, commit, tasks, next steps and what stops the work. Use it when the user asks to save, before a risky step, or at " +
    "the end of a piece of work. Likely secrets, ignored and very large files are left out and named. It asks nothing, and " +
    "pushes only with `push`, never to the default branch.",
  input: {
    working_on: words("What is being worked on, in a few words; the next task unless given").optional(),
    next: lines("What comes next, in order"),
    done: lines("Tasks that are done"),
    todo: lines("Tasks that are left"),
    push: z.boolean().default(false).describe("Push the branch as well, as `carryon save --sync` does"),
    commit: z.boolean().default(true).describe("False writes the state only"),
  },
  annotations: { ...adds, openWorldHint: true },
  run: async ({ working_on, push, ...request }, call) => {
    const { answerSave } = await import("../answers/work.ts");
    return answerSave(call, { ...request, mode: push ? "sync" : "quick", workingOn: working_on });
  },
});
