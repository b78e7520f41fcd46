import { z } from "zod";
import { blockerTypes, severities } from "../../work/blocker.ts";
import { badArguments } from "../bad-arguments.ts";
import { reportFailure } from "../report-failure.ts";
import { quoteCommand, toWords } from "../run-command.ts";
import { adds, defineTool, words } from "../tool.ts";

export const blocker = defineTool({
  name: "blocker",
  title: "What stops the work",
  description:
    "Shows, puts down or resolves what stops the work. Use `add` when you cannot go on without somebody else: a decision that " +
    "the user must make, a conflict, a failure that you cannot mend; the next session is told of it first. Use `resolve` only " +
    "when it is gone, and say how.",
  input: {
    action: z.enum(["show", "add", "resolve"]).default("show"),
    type: z.enum(blockerTypes).optional().describe("With add: what kind it is"),
    description: words("With add: what stops the work; with resolve: how it was resolved").optional(),
    severity: z.enum(severities).optional().describe("With add: how heavy it is; by its type unless given"),
    resolution: words("With add: what can be done about it").optional(),
  },
  annotations: adds,
  run: async ({ action, type, description, severity, resolution }, call) => {
    if (action === "add" && (type === undefined || description === undefined))
      return reportFailure(badArguments("A blocker needs `type` and `description`."));
    if (action !== "add" && type !== undefined)
      return reportFailure(badArguments("Only `add` takes a `type`."));
    const said = [type, description].flatMap((each) => each ?? []);
    const words = [...toWords({ severity, resolution }), "--", action, ...said];
    return quoteCommand(call, "blocker", words, titles[action]);
  },
});

const titles = {
  show: "This stops the work.",
  add: "The blocker is put down.",
  resolve: "It is said that the blocker is resolved.",
} as const;
