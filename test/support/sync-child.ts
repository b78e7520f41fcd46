/** Takes a client's folder into a store, at a moment. Prints "ready" before, and the number of new entries after. */
import { syncClient } from "../../src/project/sync-client.ts";

const [home = "", client = "", now = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
const { added } = await syncClient({ home, client, machine: "here", now: new Date(now) });
process.stdout.write(`${added}\n`);
