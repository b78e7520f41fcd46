import { changeState } from "../../src/work/state-store.ts";
import { someState } from "./some-state.ts";

const [root = ""] = process.argv.slice(2);
await changeState(root, new Date(), () => someState, { isForeign: async () => true });
process.stdout.write("done\n");
