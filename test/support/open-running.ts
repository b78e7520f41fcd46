import { openModelServer } from "./model-server/open-model-server.ts";
import type { Scenario } from "./model-server/scenario.ts";
import { openCarryon } from "./run-carryon.ts";

/** Opens a home and a folder to run tasks in, with a scripted model behind both providers. */
export async function openRunning(scenario: Scenario) {
  const server = await openModelServer(scenario);
  const carryon = await openCarryon({
    ...{ ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
    ...{ OPENAI_API_KEY: "sk-test", OPENAI_BASE_URL: `${server.url}/v1` },
    CARRYON_MODEL: "anthropic/claude-sonnet-5-5",
  });
  return {
    server,
    carryon,
    [Symbol.asyncDispose]: async () => {
      await carryon[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}
