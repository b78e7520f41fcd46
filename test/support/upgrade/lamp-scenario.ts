import type { Scenario } from "../model-server/scenario.ts";
import { ends, goesOn, runScenario, runs, writes } from "../run-scenario.ts";

/** What the models of the recorded chat and runs say; they say the same to whoever goes on with them. */
export const lampScenario: Scenario = {
  ...runScenario(
    [
      goesOn("Write list.mjs."),
      goesOn("Write CHANGES.md."),
      goesOn("Check it."),
      ends("The list is printed, and CHANGES.md says so."),
    ],
    [
      writes("list.mjs"),
      { text: "list.mjs is written." },
      writes("CHANGES.md"),
      { text: "CHANGES.md is written." },
      runs("node --check list.mjs; echo checked"),
      { text: "It was checked." },
    ],
  ),
  otherwise: { text: "The harbour lamp is lit by the keeper: {{prompt}}" },
};
