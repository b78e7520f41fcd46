import type { Json } from "../../src/sessions/entry.ts";
import type { Effect, Tool, Toolbox, ToolOutcome } from "../../src/tools/tool.ts";

type Run = (input: Json, signal: AbortSignal) => Promise<ToolOutcome>;

/** A toolbox of tools that do what a test says; each tool's effect is its name's beginning. */
export function scriptedTools(runs: Readonly<Record<string, Run>>): Toolbox {
  const tools = Object.keys(runs).map(toTool);
  const find = (name: string) => tools.find((tool) => tool.name === name);
  return {
    tools,
    find,
    preview: async (name) => (find(name)?.effect === "writes" ? `${name} changes this` : undefined),
    run: async (name, input, signal) => {
      const run = runs[name];
      if (run === undefined) throw new Error(`Nobody should have run ${name}.`);
      return run(input, signal);
    },
  };
}

function toTool(name: string): Tool {
  const effect: Effect = name.startsWith("write") ? "writes" : name.startsWith("run") ? "runs" : "reads";
  return {
    ...{ name, effect, description: `Can ${name}.`, input: { type: "object" } },
    describe: (input) => `${name} ${JSON.stringify(input)}`,
    preview: async () => undefined,
    run: () => Promise.reject(new Error("The toolbox runs it.")),
  };
}
