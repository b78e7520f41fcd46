import type { Scenario, Step } from "./model-server/scenario.ts";

/** An answer of the instructor. */
const rules = (input: Readonly<Record<string, string | boolean>>): Step => ({
  calls: [{ tool: "next_step", input: { assessment: "", needsCorrection: false, ...input } }],
});
export const goesOn = (instruction: string) => rules({ shouldContinue: true, instruction });
export const ends = (summary: string) => rules({ shouldContinue: false, instruction: "", summary });

/** An answer of the worker. */
export const runs = (command: string): Step => ({ calls: [{ tool: "bash", input: { command } }] });
export const writes = (path: string): Step => ({
  calls: [{ tool: "write", input: { path, content: `${path}\n` } }],
});

/** What the instructor and the worker of a run say, turn by turn. */
export function runScenario(instructor: Step[], worker: Step[]): Scenario {
  return {
    rules: [
      { system: "You are the instructor", story: instructor },
      { system: "You are the worker", story: worker },
    ],
  };
}
