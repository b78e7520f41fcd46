import { type ModelServer, openModelServer } from "./model-server/open-model-server.ts";
import type { Scenario, Step } from "./model-server/scenario.ts";
import { type Carryon, openCarryon } from "./run-carryon.ts";

/** The program, and a model that says what a scenario tells it to. */
export interface Chatting extends Carryon {
  readonly model: ModelServer;
}

/** Makes a home for the program in which its model is a scripted one. */
export async function openChatting(
  scenario: Scenario,
  given: Readonly<Record<string, string>> = {},
): Promise<Chatting> {
  const model = await openModelServer(scenario);
  const carryon = await openCarryon({
    ...{ ANTHROPIC_API_KEY: "sk-ant-made-up-for-a-test", ANTHROPIC_BASE_URL: model.url },
    ...given,
  });
  return {
    ...carryon,
    model,
    [Symbol.asyncDispose]: async () => {
      await model[Symbol.asyncDispose]();
      await carryon[Symbol.asyncDispose]();
    },
  };
}

/** Makes a scenario of what is answered to which prompt; everything else is understood. */
export function scenarioOf(rules: Readonly<Record<string, Step[]>>): Scenario {
  return {
    rules: Object.entries(rules).map(([when, steps]) => ({ when, steps })),
    otherwise: { text: "Understood." },
  };
}
