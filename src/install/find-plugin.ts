import { join } from "node:path";
import { locateClient } from "../clients/claude-code/locate-client.ts";
import { AppError } from "../lib/app-error.ts";
import { parseJsonc, toValue } from "../lib/jsonc/parse-jsonc.ts";
import { readText } from "../lib/read-text.ts";
import type { Caller } from "../workspace/caller.ts";
import { locateHome } from "../workspace/locate-home.ts";
import { installedSince } from "./installed-since.ts";
import type { InstallSite } from "./locate-settings.ts";

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
