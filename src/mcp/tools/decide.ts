import { z } from "zod";
import { decisionTypes } from "../../handover/decision.ts";
import { adds, defineTool, words } from "../tool.ts";

/** Sessions say themselves when they begin and end. */
const types = decisionTypes.filter((type) => type !== "SESSION_START" && type !== "SESSION_END");

export const decide = defineTool({
  name: "decide",
  title: "Write a decision down",
  description:
    "Appends a numbered decision to decisions.md, which every later session is told. Use it when the user has decided " +
    "something that must outlive this session: a direction, a design, an exception from steering. Do not use it for your own " +
    "plans. A decision is never changed; a later one may revise it.",
  input: {
    type: z.enum(types).describe("What kind of decision; USER_DECISION for what the user said"),
    summary: words("The decision in a few words"),
    context: words("What led to it"),
    decision: words("What was decided"),
    reason: words("Why"),
    impact: words("What follows from it"),
    source: words("Who or what decided").default("user"),
    steering_ref: words("The steering document that a STEERING_EXCEPTION departs from").optional(),
  },
  output: { number: z.int().describe("Its number: 12 is D12") },
  annotations: adds,
  run: async ({ steering_ref, ...draft }, call) => {
    const { answerDecide } = await import("../answers/handover.ts");
    return answerDecide(call, { ...draft, ...(steering_ref !== undefined && { steeringRef: steering_ref }) });
  },
});
