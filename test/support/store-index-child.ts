/**
 * Brings the search index of a store to where its log is, and then the whole index anew, until it is killed.
 *
 * Argument: the address of the store (a home folder or a URL). Prints "begun" before it begins.
 */
import { beginWork } from "./kill-moments.ts";
import { openAddress } from "./store-address.ts";

await using store = await openAddress(process.argv[2] ?? "");
beginWork();
process.stdout.write("begun\n");
await store.search.catchUp();
for (;;) await store.search.rebuild();
