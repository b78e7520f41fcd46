import { defineTool, reads, words } from "../tool.ts";

export const gateStatus = defineTool({
  name: "gate_status",
  title: "How the gates stand",
  description:
    "Lists the requirements that must be satisfied before tools may run or this session may stop, and which of them are. Use " +
    "it before a larger change, or after a tool was refused. It only reads: a gate is satisfied by the skill or the person " +
    "that it names.",
  input: { session: words("The session, by its id; the one that calls unless given").optional() },
  annotations: reads,
  run: async ({ session }, call) => (await import("../answers/gates.ts")).answerGateStatus(call, session),
});
