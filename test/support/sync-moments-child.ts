/** Takes a client's folder into a store and writes down what it calls for, at a moment. Prints "ready" before, and "done" after. */
import { syncClient } from "../../src/recording/sync-client.ts";
import { beginWork } from "./kill-moments.ts";

const [home = "", client = "", at = ""] = process.argv.slice(2);
const now = new Date(at);
process.stdout.write("ready\n");
beginWork();
await syncClient({ home, client, machine: "here", now, clock: { now: () => now } });
process.stdout.write("done\n");
