import type { AppError } from "../lib/app-error.ts";

/** Describes, on one line, that git may show what it was to be told to leave out, and what keeps it out nevertheless. */
export function describeExposed(shown: string, line: string, { message }: AppError): string {
  return `Git may show ${shown} unless you add \`${line}\` to .gitignore: ${message}`;
}
