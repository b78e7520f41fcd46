import { join } from "node:path";
import {
  addServer,
  hasEmptyServers,
  judgeServer,
  removeServer,
  serverName,
} from "../clients/claude-code/mcp-servers.ts";
import { isTracked } from "../git/kept-out.ts";
import { AppError } from "../lib/app-error.ts";
import { locateLauncher } from "../lib/hook-files.ts";
import { findLink } from "../lib/read-below.ts";
import { readText } from "../lib/read-text.ts";
import { renderShellWord } from "../lib/shell-word.ts";
import type { FileChange } from "./file-change.ts";
import type { Install } from "./install-record.ts";
import type { InstallSite } from "./locate-settings.ts";
import { noSettings } from "./read-settings.ts";

/** How the client comes to know our server: a change of its list, or why there is none and what to do instead. */
interface ServerPlan {
  readonly changes: readonly FileChange[];
  readonly record: Install["server"];
  readonly warnings: readonly string[];
}

/** Returns the list of servers of a project. */
export function locateServers(root: string): string {
  return join(root, ".mcp.json");
}

/** Renders the command by which a person lets the client know our server, in all projects or for themselves in one. */
export function renderAddServer({ home, scope }: Pick<InstallSite, "home" | "scope">): string {
  const where = scope === "user" ? "user" : "local";
  return `claude mcp add --scope ${where} ${serverName} -- ${renderShellWord(locateLauncher(home))} mcp`;
}

/**
 * Plans our server in the list of a project, which the client asks its user about before it starts anything.
 *
 * A list that is in commits is everybody's and stays as it is, as does one with a server of our name that is not ours.
 */
export async function planServer(site: InstallSite, remembered: Install["server"]): Promise<ServerPlan> {
  if (site.scope === "user") return { changes: [], record: null, warnings: [] };
  const path = locateServers(site.root);
  const leave = (reason: string): ServerPlan => ({
    ...{ changes: [], record: null },
    warnings: [
      `${path} stays as it is: ${reason} \`${renderAddServer(site)}\` adds the server for you alone.`,
    ],
  });
  if ((await findLink(site.root, path)) !== undefined) return leave("it is a symbolic link.");
  try {
    const before = await readText(path);
    const text = before ?? noSettings;
    const program = locateLauncher(site.home);
    const standing = judgeServer(text, program);
    if (standing === "foreign") return leave(`it has another server that is called ${serverName}.`);
    const isShared = site.isRepository && before !== undefined && (await isTracked(site.root, path));
    if (isShared && standing === "missing") return leave("it is in commits, so that others would get it.");
    const fresh = { made: before === undefined, empty: hasEmptyServers(text) };
    return {
      changes: [{ path, before, after: addServer(text, program) }],
      record: standing === "missing" ? fresh : (remembered ?? { made: false, empty: false }),
      warnings: [],
    };
  } catch (error) {
    if (error instanceof AppError) return leave(error.message);
    throw error;
  }
}

/** Plans to take our server back from the list of a project; one that was changed since stays. */
export async function planNoServer(
  { home, scope, root }: Pick<InstallSite, "home" | "scope" | "root">,
  remembered: Install["server"],
): Promise<{ readonly changes: readonly FileChange[]; readonly stays: readonly string[] }> {
  const path = locateServers(root);
  if (scope === "user" || (await findLink(root, path)) !== undefined) return { changes: [], stays: [] };
  const says = (reason: string) => ({
    changes: [],
    stays: remembered === null ? [] : [`${path} stays as it is: ${reason}`],
  });
  try {
    const before = await readText(path);
    const standing = before === undefined ? "missing" : judgeServer(before, locateLauncher(home));
    if (before === undefined || standing === "missing") return { changes: [], stays: [] };
    if (standing === "foreign") return says(`its server ${serverName} was changed.`);
    const rest = removeServer(before, { keepList: remembered?.empty === true });
    const after = remembered?.made === true && rest.trim() === noSettings.trim() ? undefined : rest;
    return { changes: [{ path, before, after }], stays: [] };
  } catch (error) {
    if (error instanceof AppError) return says(error.message);
    throw error;
  }
}
