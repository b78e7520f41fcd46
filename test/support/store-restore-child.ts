/** Restores a backup as soon as it reads a line, and prints "done". Arguments: the home folder, the backup. */
import { once } from "node:events";
import { restoreStore } from "../../src/storage/maintenance.ts";

const [home = "", file = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
await once(process.stdin, "data");
await restoreStore(home, file, new Date());
process.stdout.write("done\n");
process.exit();
