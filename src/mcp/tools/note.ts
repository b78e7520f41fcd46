import { z } from "zod";
import { noteTags } from "../../handover/note.ts";
import { adds, defineTool, words } from "../tool.ts";

export const note = defineTool({
  name: "note",
  title: "Note what was learned",
  description:
    "Adds a lesson to buffer.md, where it waits to become knowledge of the project: a PATTERN that works, an INCIDENT and its " +
    "cause, or a REFERENCE worth finding again. Use it for what the next session would otherwise have to find out anew. The " +
    "same note is kept once.",
  input: {
    tag: z.enum(noteTags).describe("What kind of lesson"),
    text: words("What was learned, in one sentence"),
    spec: words("The spec or feature in which it was learned"),
    role: words("Who learned it, such as Builder or Inspector"),
    task: words("In which task, such as 2"),
    category: words("One word that groups it, such as api").optional(),
  },
  output: {
    added: z.int().describe("How many notes are new: 0 when it was there"),
    candidates: z.array(z.string()).describe("The skill candidates that the note made"),
  },
  annotations: { ...adds, idempotentHint: true },
  run: async (words, call) => (await import("../answers/handover.ts")).answerNote(call, words),
});
