import { join } from "node:path";
import { quickHash } from "../../lib/quick-hash.ts";

/** Returns where the mark is kept of a work tree in which a command of a session may have left something that writes. */
export function locateBehind({ ledger, root }: { readonly ledger: string; readonly root: string }): string {
  return join(ledger, `behind-${quickHash(root)}.json`);
}
