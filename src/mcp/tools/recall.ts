import { z } from "zod";
import { makeAnswer } from "../answer.ts";
import { readRecordIfAny } from "../record/read-record.ts";
import { defineTool, reads, words } from "../tool.ts";

export const recallTool = defineTool({
  name: "recall",
  title: "Answer a question from earlier sessions",
  description:
    "Finds the passages of this project's earlier sessions that answer a question, each with its session, entry and day and with what was " +
    "said beside it, within a budget of tokens. Ask in plain words: why was something done, where is it, what was decided, what failed. " +
    "Use it before asking the user what earlier sessions know; read on from a passage with session_show.",
  input: {
    question: words("The question, in plain words"),
    budget: z.int().min(100).max(5000).default(1000).describe("At most about so many tokens"),
  },
  annotations: reads,
  run: async (request, call) => {
    const { recall } = await import("../../memory/recall.ts");
    const answer = await readRecordIfAny(call, async (record) => {
      const { said, quoted } = await recall(record, request);
      return makeAnswer(said, record.talk + quoted);
    });
    return answer ?? makeAnswer("Nothing was recorded in this project.");
  },
});
