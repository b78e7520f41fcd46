import type { Clock } from "../lib/clock.ts";
import type { SessionId } from "../sessions/ids.ts";
import type { SearchRequest } from "../sessions/search-index.ts";
import { defineInput, defineTool } from "../tools/define-tool.ts";
import type { Tool } from "../tools/tool.ts";
import type { WritableProject } from "../workspace/open-project.ts";

/** Makes the tool with which a model asks what earlier sessions of the project know; its name marks its calls as Carryon's own. */
export function makeRecallTool(
  { store, project }: WritableProject,
  { clock, asking }: { readonly clock: Clock; readonly asking: () => SessionId | undefined },
): Tool {
  return defineTool({
    name: "carryon_recall",
    effect: "reads",
    description: [
      "Answer a question from earlier sessions of this project: quotes the passages that fit best, each with its session, entry and day and with what was said beside it.",
      "Ask in plain words: why was something done, where is it, what was decided, what failed. Use it before you ask the person what an earlier session knows.",
    ].join(" "),
    input: defineInput({
      question: { type: "string", least: 1, description: "The question, in plain words." },
      budget: {
        type: "integer",
        least: 100,
        optional: true,
        description: "At most about so many tokens, up to 5000; 1000 unless given.",
      },
    }),
    describe: ({ question }) => question,
    run: async ({ question, budget = 1000 }) => {
      const { recall } = await import("../memory/recall.ts");
      const { quote } = await import("../memory/quote.ts");
      const now = clock.now();
      const { readDigestLines } = await import("../memory/digest-lines.ts");
      const linesOf = (ids: readonly SessionId[]) => readDigestLines(store, ids);
      const record = {
        ...{ log: store.log, now },
        search: (request: SearchRequest) =>
          store.search.search({ now, ...request, confinedTo: project.id, linesOf }),
      };
      const request = { question, budget: Math.min(budget, 5000), except: asking() };
      const { said, quoted } = await recall(record, request);
      return quote(said, quoted);
    },
  });
}
