import { z } from "zod";
import { adds, defineTool, lines, words } from "../tool.ts";

export const handoverDraft = defineTool({
  name: "handover_draft",
  title: "Draft the handover",
  description:
    "Brings session.md up to date for the next session: adds what was done, sets the next action, and carries decisions, " +
    "warnings and tone forward. Parts that are not given come from the recorded session. Use it when a piece of work is complete and the session may end soon. Every earlier version " +
    "stays in the log. For a handover with the user's own words use the skill /sdd-handover instead.",
  input: {
    done: lines("What was done, one sentence each"),
    next: lines("The next action; by default one that a person gave stays, else the next open step"),
    goal: words("What the session is for").optional(),
    file: lines("Files that were changed, beside those git knows"),
  },
  output: { path: z.string(), changed: z.boolean(), problems: z.int().describe("How many; they are quoted") },
  annotations: { ...adds, idempotentHint: true },
  run: async (words, call) => (await import("../answers/handover.ts")).answerDraft(call, words),
});
