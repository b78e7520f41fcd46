import { z } from "zod";
import { noteTags } from "../../handover/note.ts";
import { tellFacts, toWords } from "../run-command.ts";
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
  run: ({ tag, text, ...origin }, call) =>
    tellFacts(call, "note", [...toWords(origin), "--", tag, text], tell),
});

interface Noted {
  readonly added: readonly unknown[];
  readonly candidates: readonly { readonly name: string }[];
}

function tell({ added, candidates }: Noted) {
  const names = candidates.map(({ name }) => name);
  return {
    said: added.length === 0 ? "It was noted before." : "It is noted.",
    facts: { added: added.length, candidates: names },
    quoted: names.map((name) => `New skill candidate: ${name}\n`).join(""),
  };
}
