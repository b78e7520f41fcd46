/** Prints the key of the home folder in its argument, in hex, as soon as it reads a line: all can begin at once. */
import { once } from "node:events";
import { readOrMakeKey } from "../../src/storage/home-folder.ts";

const [home = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
await once(process.stdin, "data");
process.stdout.write(`${Buffer.from(await readOrMakeKey(home)).toString("hex")}\n`);
process.exit();
