/**
 * Removes a file as `carryon uninit` does, and prints "done" or what went wrong.
 *
 * Arguments: the path, what it holds.
 */

import { applyChange } from "../../src/install/file-change.ts";
import { AppError } from "../../src/lib/app-error.ts";

const [path = "", before = ""] = process.argv.slice(2);
try {
  await applyChange({ path, before, after: undefined });
  process.stdout.write("done\n");
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  process.stdout.write(`${error.code}: ${error.message}\n`);
}
