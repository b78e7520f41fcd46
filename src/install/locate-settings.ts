import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { locateClient } from "../clients/claude-code/locate-client.ts";
import { AppError, configError, unlessGone } from "../lib/app-error.ts";
import { FileError, symlinkRefused } from "../lib/file-error.ts";
import { parseJsonc, toValue } from "../lib/jsonc/parse-jsonc.ts";
import { readText } from "../lib/read-text.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { listIdentities, locatePlace } from "../workspace/recognise-project.ts";
import type { Caller } from "../workspace/workspace.ts";
import { type InstallScope, installedSince } from "./install-record.ts";

/** What the client calls our plugin: its name, and that of the marketplace it comes from. */
export const pluginId = "session@carryon";

/** Returns the files of settings, of a project and of its user, that turn our plugin on. */
export async function findPlugin({
  client,
  root,
}: Pick<InstallSite, "client" | "root">): Promise<readonly string[]> {
  const paths = [
    join(root, ".claude", "settings.local.json"),
    join(root, ".claude", "settings.json"),
    join(client, "settings.json"),
  ];
  const found = await Promise.all(paths.map(async (path) => ((await isEnabled(path)) ? [path] : [])));
  return found.flat();
}

async function isEnabled(path: string): Promise<boolean> {
  try {
    const text = await readText(path);
    if (text === undefined || text.trim() === "") return false;
    const settings = toValue(parseJsonc(text)) as {
      readonly enabledPlugins?: Readonly<Record<string, unknown>>;
    } | null;
    return settings?.enabledPlugins?.[pluginId] === true;
  } catch (error) {
    // Settings that cannot be read turn nothing on.
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Tells whether Claude Code is recorded in a project; doctor reports a list of installations that cannot be read. */
export async function isSetUp(
  { env, userHome }: Pick<Caller, "env" | "userHome">,
  root: string,
): Promise<boolean> {
  const since = await installedSince(locateHome(env, userHome), root).catch(() => undefined);
  if (since !== undefined) return true;
  return (await findPlugin({ client: locateClient(userHome, env.CLAUDE_CONFIG_DIR), root })).length > 0;
}

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

/** Returns where the hooks of a scope belong, as seen from the current folder. */
export async function locateInstall(
  { env, userHome, cwd }: Pick<Caller, "cwd" | "env" | "userHome">,
  scope: InstallScope,
): Promise<InstallSite> {
  const { root, git } = await locatePlace(cwd);
  return {
    home: locateHome(env, userHome),
    scope,
    client: locateClient(userHome, env.CLAUDE_CONFIG_DIR),
    root,
    isRepository: git !== undefined,
  };
}

/** Returns every name that identifies the project of the current folder, whether the store knows it or not. */
export async function identifyHere({ cwd }: Pick<Caller, "cwd">): Promise<readonly string[]> {
  return (await listIdentities(await locatePlace(cwd))).identities;
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
  await refuseOtherThanFolder(scope === "user" ? client : join(root, ".claude"));
  if (scope === "user") {
    const path = join(client, "settings.json");
    if (await isDangling(path))
      throw configError("dangling-settings", `${path} is a symbolic link that leads nowhere.`, {
        hint: "Make the file that it leads to, with {} in it, or remove the link.",
      });
    return (await realpathOf(path)) ?? join((await realpathOf(client)) ?? client, basename(path));
  }
  const path = join(root, ".claude", "settings.local.json");
  for (const each of [dirname(path), path]) {
    const real = await realpathOf(each);
    if (await isDangling(each)) throw symlinkRefused(each);
    if (real !== undefined && relative(await realpath(root), real) !== relative(root, each))
      throw symlinkRefused(each);
  }
  return path;
}

async function refuseOtherThanFolder(path: string): Promise<void> {
  const stats = await unlessGone(stat(path));
  if (stats === undefined || stats.isDirectory()) return;
  throw new FileError(`${path} is not a folder.`, path, {
    code: "not-a-folder",
    hint: "Move away what is there.",
  });
}

/** A link to a file that is not there yet: whoever keeps it elsewhere has to make it there. */
async function isDangling(path: string): Promise<boolean> {
  if ((await realpathOf(path)) !== undefined) return false;
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** Returns where a path leads; undefined where there is nothing. */
export async function realpathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
