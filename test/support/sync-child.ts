/** Takes a client's folder into a store, at a moment; all of it, or what was recorded. Prints "ready" before, and the number of new entries after. */
import { syncClient } from "../../src/recording/sync-client.ts";
import { beginWork } from "./kill-moments.ts";

const [home = "", client = "", now = "", what = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
beginWork();
const choice = what === "recorded" ? ({ recorded: true } as const) : {};
const { added } = await syncClient({ home, client, machine: "here", now: new Date(now), ...choice });
process.stdout.write(`${added}\n`);
