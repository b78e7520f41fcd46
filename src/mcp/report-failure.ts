import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { AppError } from "../lib/app-error.ts";
import { toPrintable, toPrintableLine } from "../lib/printable.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";
import { makeAnswer } from "./answer.ts";

/** Turns what went wrong into the answer of a tool; the server goes on. What was said before it is quoted. */
export function reportFailure(error: unknown, said = ""): CallToolResult {
  return { ...makeAnswer(describeFailure(error), said), isError: true };
}

/** Says what went wrong, what to do about it, and the code by which docs/errors.md knows it. */
export function describeFailure(error: unknown): string {
  if (error instanceof AppError) {
    const message = hideSecrets(toPrintableLine(error.message));
    const hint = error.hint === undefined ? "" : `\n${hideSecrets(toPrintable(error.hint))}`;
    return `${message} (${error.code})${hint}`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return `Something went wrong inside Carryon: ${hideSecrets(toPrintableLine(reason))} (internal)`;
}
