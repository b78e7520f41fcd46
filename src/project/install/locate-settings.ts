import { realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { symlinkRefused } from "../../lib/file-error.ts";
import type { InstallScope } from "./install-record.ts";

/** Where hooks are to be installed, and what they run. */
export interface InstallSite {
  /** The home folder of Carryon. */
  readonly home: string;
  readonly scope: InstallScope;
  /** The folder of the client's own settings. */
  readonly client: string;
  /** The top of the project. */
  readonly root: string;
  /** Whether the project is a git repository. */
  readonly isRepository: boolean;
}

/**
 * Returns the file that the hooks go into.
 *
 * In a project it must be in the project: a link in a repository must not lead writes elsewhere. The user's own may be
 * a link, as those who keep their settings in a repository of their own have it; then the file behind it is meant.
 */
export async function locateSettings({
  scope,
  client,
  root,
}: Omit<InstallSite, "home" | "isRepository">): Promise<string> {
  if (scope === "user") {
    const path = join(client, "settings.json");
    return (await realpathOf(path)) ?? path;
  }
  const path = join(root, ".claude", "settings.local.json");
  for (const each of [dirname(path), path]) {
    const real = await realpathOf(each);
    if (real !== undefined && relative(await realpath(root), real) !== relative(root, each))
      throw symlinkRefused(each);
  }
  return path;
}

/** Returns where a path leads; undefined where there is nothing. */
async function realpathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
