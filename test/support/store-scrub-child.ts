/** Scrubs a text out of the store of a home folder, and says when it begins. */
import { literalPattern } from "../../src/redaction/text-pattern.ts";
import { openStore } from "../../src/storage/open-store.ts";

const [home = "", text = ""] = process.argv.slice(2);
const store = await openStore(home);
process.stdout.write("begins\n");
await store.scrubber.replace(literalPattern(text), new Date());
await store[Symbol.asyncDispose]();
