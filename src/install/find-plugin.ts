import { join } from "node:path";
import { AppError } from "../lib/app-error.ts";
import { parseJsonc, toValue } from "../lib/jsonc/parse-jsonc.ts";
import { readText } from "../lib/read-text.ts";
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
