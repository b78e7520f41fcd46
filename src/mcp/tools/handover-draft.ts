import { z } from "zod";
import { tellFacts, toWords } from "../run-command.ts";
import { adds, defineTool, lines, words } from "../tool.ts";

export const handoverDraft = defineTool({
  name: "handover_draft",
  title: "Draft the handover",
  description:
    "Brings session.md up to date for the next session: adds what was done, sets the next action, and carries decisions, " +
    "warnings and tone forward. Use it when a piece of work is complete and the session may end soon. Every earlier version " +
    "stays in the log. For a handover with the user's own words use the skill /sdd-handover instead.",
  input: {
    done: lines("What was done, one sentence each"),
    next: lines("The next action; the one that is there stays unless given"),
    goal: words("What the session is for").optional(),
    file: lines("Files that were changed, beside those git knows"),
  },
  output: { path: z.string(), changed: z.boolean(), problems: z.int().describe("How many; they are quoted") },
  annotations: { ...adds, idempotentHint: true },
  run: async ({ done, next, goal, file }, call) => {
    await call.host.catchUp();
    const session = await call.host.findCaller();
    const options = toWords({ done, next, goal, file, session });
    return tellFacts(call, "handover", [...options, "--", "draft"], tell);
  },
});

interface Drafted {
  readonly path: string;
  readonly changed: boolean;
  readonly problems: readonly { readonly line: number; readonly message: string }[];
}

function tell({ path, changed, problems }: Drafted) {
  return {
    said: changed ? "session.md is brought up to date." : "Nothing new; session.md is as it was.",
    facts: { path, changed, problems: problems.length },
    quoted: problems.map(({ line, message }) => `Line ${line}: ${message}.\n`).join(""),
  };
}
