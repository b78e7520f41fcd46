/**
 * Does one of the operations on a handover. Prints "ready" before and "done" after it, or "failed" with the code of its
 * error; its exit code is that of the command line.
 *
 * Arguments: the name of the operation, the folder of its scene, and "ahead" for calls that come first.
 */
import { open } from "node:fs/promises";
import { exitCode } from "../../src/cli/exit-code.ts";
import { AppError } from "../../src/lib/app-error.ts";
import { type HandoverOperation, handoverOperations, openHandoverScene } from "./handover-operations.ts";

const [name = "", folder = "", isAhead = ""] = process.argv.slice(2);
const operation = new Map<string, HandoverOperation>(Object.entries(handoverOperations)).get(name);
if (operation === undefined) throw new Error(`There is no operation ${name}.`);

if (isAhead === "ahead") await getAhead();
try {
  const scene = await openHandoverScene(folder);
  try {
    process.stdout.write("ready\n");
    await operation.run(scene.handover);
    process.stdout.write("done\n");
  } finally {
    await scene[Symbol.asyncDispose]();
  }
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  process.stdout.write(`failed ${error.code}\n`);
  process.exitCode = exitCode(error);
}

/**
 * Makes calls on the thread that works on files, so that those on temporary files, which follow, have other numbers than
 * those on the thread that runs the program: strace counts for each thread, and would tamper with both.
 */
async function getAhead(): Promise<void> {
  const nowhere = await open("/dev/null", "w");
  for (let i = 0; i < 200; i += 1) await nowhere.write("-");
  // Nothing there can be synced, but it counts.
  for (let i = 0; i < 50; i += 1) await Promise.allSettled([nowhere.sync()]);
  await nowhere.close();
}
