import type { AppError } from "../../lib/app-error.ts";
import { FileError } from "../../lib/file-error.ts";
import type { JsonObject } from "../json-object.ts";

/** What is wrong with a file of the gates. It is told, and the work goes on. */
export interface FileProblem {
  readonly path: string;
  /** A sentence without its subject, which is the file: `is not JSON`. */
  readonly problem: string;
  readonly hint: string;
}

/** What can be done about a file that a newer Carryon wrote. No command of ours does it: the file may be worth more than this one knows. */
export const newerRemedy =
  "Update Carryon; or give the file another name, and the next change begins a new one without what it says.";

/** Says of a file that a newer Carryon wrote it. */
export function describeNewer({ version }: JsonObject): string {
  const shown = typeof version === "string" ? version.slice(0, 20) : String(version);
  return `is of version ${shown}, which a newer Carryon wrote, and is left as it is`;
}

/** Returns a failure as a problem of the file that it is about. */
export function toProblem(path: string, error: AppError): FileProblem {
  return {
    path: error instanceof FileError ? error.path : path,
    problem: `was not changed: ${error.message}`,
    hint: error.hint ?? "Try again.",
  };
}
