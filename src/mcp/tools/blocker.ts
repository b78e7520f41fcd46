import { z } from "zod";
import { type AppError, usageError } from "../../lib/app-error.ts";
import { blockerTypes, severities } from "../../work/blocker.ts";
import { reportFailure } from "../report-failure.ts";
import { adds, defineTool, words } from "../tool.ts";

/** Makes the error of arguments that do not fit each other. */
function badArguments(message: string): AppError {
  return usageError("bad-arguments", message, { hint: "See what the tool says of its arguments." });
}

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
  run: async ({ action: what, type, description, severity, resolution }, call) => {
    if (what !== "add" && (type ?? severity ?? resolution) !== undefined)
      return reportFailure(badArguments("Only `add` takes a `type`, a `severity` and a `resolution`."));
    const { answerBlocker } = await import("../answers/work.ts");
    if (what === "resolve") return answerBlocker(call, { what, how: description ?? "" });
    if (what === "show") return answerBlocker(call, { what });
    if (type === undefined || description === undefined)
      return reportFailure(badArguments("A blocker needs `type` and `description`."));
    return answerBlocker(call, { what, blocker: { type, description, severity, resolution } });
  },
});
