import { join } from "node:path";
import { quickHash } from "../lib/quick-hash.ts";

/** Returns the folder for what can be found out again of a repository. All that is in it says whose it is. */
export function locateGateCache(home: string, commonFolder: string): string {
  return join(home, "cache", "gates", quickHash(commonFolder));
}

/** Returns where the configuration of a work tree is kept: all of a repository share a cache, and each has its own. */
export function locateCompiledConfig(cacheFolder: string, root: string): string {
  return join(cacheFolder, `config-${quickHash(root)}.json`);
}
