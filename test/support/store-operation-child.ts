/**
 * Does one of the operations on a store, and prints each step that is acknowledged.
 *
 * Arguments: the name of the operation, the folder of its scene. A failure is printed as "failed" with its code, and
 * its exit code is that of the command line.
 */
import { flushCompileCache } from "node:module";
import { exitCode } from "../../src/cli/exit-code.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { type Operation, operations, sceneIn } from "./store-operations.ts";

const [name = "", folder = ""] = process.argv.slice(2);
const operation = new Map<string, Operation>(Object.entries(operations)).get(name);
if (operation === undefined) throw new Error(`There is no operation ${name}.`);

// Node does it at the end of a process, which many of these do not live to see.
flushCompileCache();
try {
  await operation(sceneIn(folder), async (step) => void process.stdout.write(`${step}\n`));
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  process.stdout.write(`failed ${error.code}\n`);
  process.exitCode = exitCode(error);
}
