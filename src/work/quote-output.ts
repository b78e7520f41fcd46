import { plainLines } from "../lib/plain-lines.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";

/** How many lines say how a command ended. */
const mostLines = 15;

/** Quotes the end of what a command printed, line by line, without colours and fit for a terminal. */
export function quoteOutput(output: string): readonly string[] {
  const lines = plainLines(hideSecrets(output)).filter((line) => line.trim() !== "");
  return lines.slice(-mostLines).map((line) => `  ${toPrintableLine(line)}`);
}
