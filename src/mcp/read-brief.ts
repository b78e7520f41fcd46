import { hideSecrets } from "../redaction/hide-secrets.ts";
import { toWords } from "./run-command.ts";
import type { Call } from "./tool.ts";

/** The most tokens that a brief may have here: room for all of a long handover. */
export const largestBudget = 8_000;

/** Takes in what is new, and returns the brief, which is quoted and cut already. */
export async function readBrief({ host, signal }: Call, budget?: number): Promise<string> {
  await host.catchUp();
  const { out, error } = await host.run("brief", toWords({ budget }), signal);
  if (error !== undefined) throw error;
  return hideSecrets(out);
}
