/**
 * Adds one to the number in a file, again and again, under its lock. Prints "added" after each time.
 *
 * Arguments: the path, how often, and `nothing` if that is to be left of the lock.
 */
import { readFile } from "node:fs/promises";
import { writeFileAtomically } from "../../src/lib/atomic-file.ts";
import { acquireLock } from "../../src/lib/file-lock.ts";

const [path = "", times = "0", left = "file"] = process.argv.slice(2);
for (let i = 0; i < Number(times); i++) {
  const lock = await acquireLock(path, { wait: 60_000, leave: left === "nothing" ? "nothing" : "file" });
  try {
    const count = Number(await readFile(path, "utf8"));
    await writeFileAtomically(path, String(count + 1));
    process.stdout.write("added\n");
  } finally {
    await lock.release();
  }
}
