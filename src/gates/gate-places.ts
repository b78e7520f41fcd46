import { existsSync } from "node:fs";
import { join } from "node:path";
import { quickHash } from "../lib/quick-hash.ts";

/** Where the configuration of the gates of a project is. */
export interface GatePlaces {
  /** The user's own file, `requirements.yaml` in the folder of the client. */
  readonly user: string;
  /** The top folder of the project. */
  readonly root: string;
  /** Whether the user has trusted the project; the files of one that is not trusted do not count. */
  readonly trusted: boolean;
}

/** Returns the files of a project, the one for all first. */
export function locateProjectFiles(root: string): { readonly project: string; readonly local: string } {
  return {
    project: join(root, ".claude", "requirements.yaml"),
    local: join(root, ".claude", "requirements.local.yaml"),
  };
}

/** Returns the files that count. */
export function listGateFiles({ user, root, trusted }: GatePlaces): readonly string[] {
  const { project, local } = locateProjectFiles(root);
  return trusted ? [user, project, local] : [user];
}

/** Returns the files that are there and do not count, because the project is not trusted. */
export function findWaiting({ root, trusted }: GatePlaces): readonly string[] {
  const { project, local } = locateProjectFiles(root);
  return trusted ? [] : [project, local].filter((path) => existsSync(path));
}

/** Returns the folder for what can be found out again of a repository. All that is in it says whose it is. */
export function locateGateCache(home: string, commonFolder: string): string {
  return join(home, "cache", "gates", quickHash(commonFolder));
}

/** Returns where the configuration of a work tree is kept: all of a repository share a cache, and each has its own. */
export function locateCompiledConfig(cacheFolder: string, root: string): string {
  return join(cacheFolder, `config-${quickHash(root)}.json`);
}
