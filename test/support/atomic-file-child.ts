/**
 * Writes a file, and prints "done" or the code of the error.
 *
 * Arguments: the path, the content. Its temporary file is at `fixedTempPath(path)`.
 */
import { AppError } from "../../src/lib/app-error.ts";
import { writeFileAtomically } from "../../src/lib/atomic-file.ts";
import { fixedOwner } from "./fixed-owner.ts";

const [path = "", content = ""] = process.argv.slice(2);
try {
  await writeFileAtomically(path, content, fixedOwner);
  process.stdout.write("done\n");
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  process.stdout.write(`${error.code}\n`);
}
