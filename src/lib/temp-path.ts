import { basename, dirname, join } from "node:path";
import { readOwnIdentity } from "./process-identity.ts";
import { makeTempName } from "./temp-name.ts";
import { systemRandom } from "./uuid-v7.ts";

/** Returns a path beside another for a file in the making; `sweepStrays` removes it when its maker is gone. */
export async function makeTempPath(path: string): Promise<string> {
  return join(dirname(path), makeTempName(basename(path), await readOwnIdentity(), systemRandom));
}
