/** Takes the transcripts of a client's folder into a store. Prints "ready" before, and the number of new entries after. */
import { syncClient } from "../../src/project/sync-client.ts";

const [home = "", client = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
const { added } = await syncClient({ home, client, machine: "here" });
process.stdout.write(`${added}\n`);
