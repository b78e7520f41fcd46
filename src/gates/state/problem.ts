import type { AppError } from "../../lib/app-error.ts";
import { FileError } from "../../lib/file-error.ts";

/** What is wrong with a file of the gates. It is told, and the work goes on. */
export interface FileProblem {
  readonly path: string;
  /** A sentence without its subject, which is the file: `is not JSON`. */
  readonly problem: string;
  readonly hint: string;
}

/** Returns a failure as a problem of the file that it is about. */
export function toProblem(path: string, error: AppError): FileProblem {
  return {
    path: error instanceof FileError ? error.path : path,
    problem: `was not changed: ${error.message}`,
    hint: error.hint ?? "Try again.",
  };
}
