import { AppError } from "../lib/app-error.ts";
import { toPrintableLine } from "../lib/printable.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";

interface BadImportFacts {
  readonly cause?: unknown;
  /** What to do; a file that is damaged has to be exported again unless told. */
  readonly hint?: string;
}

const anew = "Export it again; or keep what comes before with --partial.";

/** A file that is no export, or one that is damaged; nothing of it was imported. */
export class BadImport extends AppError {
  /** Where in the file, such as `Line 3`; undefined where it is about the whole. */
  readonly where: string | undefined;
  readonly reason: string;

  constructor(where: string | undefined, reason: string, { cause, hint = anew }: BadImportFacts = {}) {
    // What a file says of itself is quoted in it.
    const told = toPrintableLine(hideSecrets(reason)).slice(0, 400);
    super(where === undefined ? `${told.charAt(0).toUpperCase()}${told.slice(1)}.` : `${where}: ${told}.`, {
      kind: "usage",
      code: "bad-import",
      hint: `Nothing was imported. ${hint}`,
      cause,
    });
    this.where = where;
    this.reason = told;
  }
}
