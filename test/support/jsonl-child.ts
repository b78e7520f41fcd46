/**
 * Appends values to a JSONL file in one call, and prints "done" or the code of the error.
 *
 * Arguments: the path, then each value as JSON.
 */
import { AppError } from "../../src/lib/app-error.ts";
import { appendJsonl } from "../../src/lib/jsonl.ts";

const [path = "", ...values] = process.argv.slice(2);
try {
  await appendJsonl(
    path,
    values.map((value) => JSON.parse(value)),
  );
  process.stdout.write("done\n");
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  process.stdout.write(`${error.code}\n`);
}
