/**
 * Reads the digests of all sessions of a store, and is killed by itself when so many entries are folded.
 *
 * Arguments: a home folder and the number of entries.
 */
import { readDigests } from "../../src/digest/read-digests.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { countWords } from "./count-words.ts";

const [home = "", most = ""] = process.argv.slice(2);
await using store = await openStore(home);
const fold = countWords();
await readDigests(store, (await store.log.list()).sessions, {
  ...fold,
  follow: (state, entries) => {
    const next = fold.follow(state, entries);
    if (next.entries >= Number(most)) process.kill(process.pid, "SIGKILL");
    return next;
  },
});
