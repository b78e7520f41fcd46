import { answerForGates as answer } from "../gates/answer-for-gates.ts";
import { toHookOutput } from "../gates/answer-hook.ts";
import { ioError } from "../lib/app-error.ts";
import { systemClock } from "../lib/clock.ts";
import type { GateRules } from "./surroundings.ts";

export const answerForGates: GateRules["answerForGates"] = async ({ note, askTrust, ...client }, wire) => {
  const answered = await answer(
    {
      ...client,
      clock: systemClock,
      tell: ({ path, problem }) => note(`${path} ${problem}`),
      // Nearly nobody needs it.
      startedWith: async () => {
        const { readClientEnvironment } = await import("../gates/ancestors.ts");
        return readClientEnvironment(client.process.pid);
      },
      askTrust: async () => {
        const trusted = await askTrust();
        if (trusted === undefined) throw ioError("not-asked", "Carryon could not be asked.");
        return trusted;
      },
    },
    wire,
  );
  const output = toHookOutput(wire.hook_event_name, answered);
  const refuses = answered.type === "deny" || answered.type === "hold";
  return output && { output: JSON.stringify(output), refuses };
};
