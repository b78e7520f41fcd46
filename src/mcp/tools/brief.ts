import { z } from "zod";
import { defineTool, reads } from "../tool.ts";

export const brief = defineTool({
  name: "brief",
  title: "What this session must know",
  description:
    "Tells what earlier sessions in this project left: the blocker, the next action, saved work, gates, warnings, decisions, " +
    "open reviews and lessons, most important first, each with its age. Use it at the start of a session that has not been " +
    "given a brief, after a compaction, or when the user asks where things stand. It writes nothing.",
  input: {
    budget: z.int().min(400).max(8_000).optional().describe("At most so many tokens; 2000 unless given"),
  },
  annotations: reads,
  run: async ({ budget }, call) => {
    const { answerBrief } = await import("../answers/handover.ts");
    return { content: [{ type: "text", text: await answerBrief(call, budget) }] };
  },
});
