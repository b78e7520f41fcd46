/**
 * Brings everything from one store to another, in small transactions. Prints a line for each session that was compared,
 * and `done` at the end.
 *
 * Arguments: the addresses of both stores.
 */

import { exchangeSessions } from "../../src/share/exchange-sessions.ts";
import { beginWork } from "./kill-moments.ts";
import { openAddress } from "./store-address.ts";

const [from = "", to = ""] = process.argv.slice(2);
const [source, target] = [await openAddress(from), await openAddress(to)];
beginWork();
await exchangeSessions({
  ...{ source: source.replica, target: target.replica, now: new Date(), batch: 4 },
  onProgress: (done) => process.stdout.write(`${done}\n`),
});
process.stdout.write("done\n");
await source[Symbol.asyncDispose]();
await target[Symbol.asyncDispose]();
