import { defineInput, defineTool } from "../define-tool.ts";

export const searchTool = defineTool({
  name: "search",
  effect: "reads",
  description: [
    "Find lines in the text files of the work folder by a regular expression. Each hit is one line: path:number: text.",
    "The syntax is that of RE2: no lookahead, no backreferences; begin with (?i) to ignore case. The pattern is looked for in each line by itself.",
    "Files that git ignores are left out unless a folder of them is named.",
  ].join(" "),
  input: defineInput({
    pattern: { type: "string", least: 1, description: "The regular expression, such as function \\w+Name." },
    path: {
      type: "string",
      least: 1,
      optional: true,
      description:
        "The folder or file to search in, relative to the work folder, which is searched unless given.",
    },
    glob: {
      type: "string",
      least: 1,
      optional: true,
      description: "Which files to search in: *.ts, src/**/*.test.ts, *.{js,ts}, or !*.md for all others.",
    },
  }),
  describe: ({ pattern, path, glob }) =>
    `${JSON.stringify(pattern)}${path === undefined ? "" : ` in ${path}`}${glob === undefined ? "" : ` (${glob})`}`,
  run: async (request, surroundings) => {
    // The engine is loaded by the first search: a conversation may have none.
    const { runSearch } = await import("./run-search.ts");
    return await runSearch(request, surroundings);
  },
});
