import { z } from "zod";
import { adds, defineTool } from "../tool.ts";

export const sessionLoad = defineTool({
  name: "session_load",
  title: "Where the work was saved",
  description:
    "Tells what was being done when the work was saved, what has changed in git and the files since, what stops the work and " +
    "which task is next, as `carryon load` does. Use it when the user wants to go on with earlier work. With `resume` it also " +
    "tries the recovery that the user has approved for a blocker, and goes back to the saved branch if the work tree is clean; " +
    "it never merges, rebases, stashes or pushes.",
  input: {
    resume: z.boolean().default(false).describe("Go back to where the work was, instead of only telling"),
  },
  annotations: adds,
  run: async (request, call) => (await import("../answers/work.ts")).answerLoad(call, request),
});
