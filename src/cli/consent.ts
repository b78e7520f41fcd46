import { usageError } from "../lib/app-error.ts";
import type { CommandContext } from "./command-context.ts";

export interface ConsentRequest {
  /** Whether `--yes` was given. */
  readonly yes: boolean;
  readonly question: string;
  /** What will not happen without consent: "Nothing was deleted." */
  readonly otherwise: string;
}

/** Gets consent to something that cannot be undone: by `--yes`, or by an answer on the terminal. A pipe cannot answer. */
export async function askConsent(context: CommandContext, request: ConsentRequest): Promise<boolean> {
  if (request.yes) return true;
  if (!(context.isTerminal.input && context.isTerminal.error)) {
    throw usageError("needs-consent", `There is no terminal to ask on. ${request.otherwise}`, {
      hint: "Add --yes to answer beforehand.",
    });
  }
  const consents = await context.confirm(request.question);
  if (!consents) context.err(`${request.otherwise}\n`);
  return consents;
}
