import { conflictError } from "../../lib/app-error.ts";
import type { Outline } from "./outline.ts";

/**
 * Throws when a document leaves a fence or a piece of HTML open. Nobody knows where it was to end, and what was written
 * below it would be swallowed too.
 */
export function refuseLeftOpen({ open }: Pick<Outline, "open">, name: string): void {
  if (open === undefined) return;
  throw conflictError(
    "left-open",
    `What begins in line ${open.line + 1} of ${name} is never closed, so that no section after it can be read.`,
    { hint: `Write ${open.closer} on a line of its own where it ends, then try again; nothing was written.` },
  );
}
