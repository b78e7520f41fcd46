/**
 * Takes and gives back the lock on the path in its first argument, as it is told on standard input. The second may say
 * `nothing`: what is left of the lock then.
 *
 * `try` answers "held" or "busy" at once, `acquire` answers "held" when it has it, `release` answers "free".
 * Any other error is answered by its code.
 */
import { createInterface } from "node:readline";
import { AppError } from "../../src/lib/app-error.ts";
import { acquireLock, type FileLock } from "../../src/lib/file-lock.ts";

const [path = "", left = "file"] = process.argv.slice(2);
const leave = left === "nothing" ? "nothing" : "file";
let lock: FileLock | undefined;

async function answer(command: string): Promise<string> {
  try {
    if (command === "release") {
      await lock?.release();
      return "free";
    }
    lock = await acquireLock(path, { wait: command === "try" ? 0 : 60_000, leave });
    return "held";
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.code === "lock-busy" ? "busy" : error.code;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await answer(line)}\n`);
}
