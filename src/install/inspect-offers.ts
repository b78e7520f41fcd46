import { judgeServer } from "../clients/claude-code/mcp-servers.ts";
import { AppError } from "../lib/app-error.ts";
import { hookScript } from "../lib/hook-files.ts";
import { readText } from "../lib/read-text.ts";
import type { Problem } from "../storage/store-report.ts";
import { findPlugin, pluginId } from "./find-plugin.ts";
import { type Install, type InstallScope, readInstalls } from "./install-record.ts";
import type { InstallSite } from "./locate-settings.ts";
import { readOwnFiles } from "./own-files.ts";
import { locateLauncher, locateProgram } from "./programs.ts";
import { locateServers } from "./server-entry.ts";

type OfferSite = Omit<InstallSite, "scope" | "isRepository">;

/** Hooks that are installed in a file of settings. */
interface InstalledHooks {
  readonly scope: InstallScope;
  readonly settings: string;
}

/** Returns what is wrong with the commands, the skill and the server that came with hooks: what has gone or is not of this version. */
export async function inspectOffers(
  site: OfferSite,
  { scope, settings }: InstalledHooks,
): Promise<readonly Problem[]> {
  const remembered = (await readInstallsIfPossible(site.home)).find((each) => each.settings === settings);
  const files = await readOwnFiles({ ...site, scope }, remembered);
  const server = scope === "project" ? await judgeServerOf(site, remembered?.server ?? null) : undefined;
  const found = [...files, ...(server === undefined ? [] : [server])];
  const hint = `Run \`carryon init --scope ${scope}\` again.`;
  const tell = (standing: "missing" | "outdated", what: string): readonly Problem[] => {
    const paths = found.flatMap((each) => (each.standing === standing ? [each.path] : []));
    return paths.length === 0 ? [] : [{ what: `${what}: ${paths.join(", ")}.`, hint }];
  };
  return [
    ...tell("missing", "What Carryon offers in Claude Code is not there"),
    ...tell("outdated", "What Carryon offers in Claude Code is of another version"),
  ];
}

/** Returns what is wrong with our plugin, where it is on: it cannot run, or hooks do the same. */
export async function inspectPlugin(
  site: OfferSite,
  installed: readonly InstalledHooks[],
): Promise<readonly Problem[]> {
  const [on] = await findPlugin(site);
  if (on === undefined) return [];
  const script = locateProgram(site.home, hookScript);
  const [hooks] = installed;
  if (hooks !== undefined)
    return [
      {
        what: `The plugin ${pluginId} is on in ${on}, and ${hooks.settings} has hooks too: they answer, and those of the plugin stand back.`,
        hint: `Take the hooks back with \`carryon uninit --scope ${hooks.scope}\`, or turn the plugin off with \`claude plugin disable ${pluginId}\`.`,
      },
    ];
  if ((await readText(script)) !== undefined) return [];
  return [
    {
      what: `The plugin ${pluginId} is on in ${on} and records nothing: ${script} is not there.`,
      hint: "Run `carryon init --plugin`.",
    },
  ];
}

/** A server that was never ours to keep is not missed. */
async function judgeServerOf(
  { home, root }: OfferSite,
  remembered: Install["server"],
): Promise<{ readonly path: string; readonly standing: string } | undefined> {
  if (remembered === null) return undefined;
  const path = locateServers(root);
  try {
    const text = await readText(path);
    return { path, standing: text === undefined ? "missing" : judgeServer(text, locateLauncher(home)) };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Whoever takes something back is told of a list that cannot be read. */
async function readInstallsIfPossible(home: string): Promise<readonly Install[]> {
  try {
    return await readInstalls(home);
  } catch (error) {
    if (error instanceof AppError) return [];
    throw error;
  }
}
