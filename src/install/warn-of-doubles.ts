import { unlessFailed } from "../lib/app-error.ts";
import type { Install } from "./install-record.ts";
import { type InstallSite, locateSettings } from "./locate-settings.ts";
import { hasHooks } from "./read-settings.ts";

/** Returns what to know where hooks of a project and of its user would both be installed, in sentences for the user. */
export async function warnOfDoubles(
  site: InstallSite,
  others: readonly Install[],
): Promise<readonly string[]> {
  const doubles = await findDoubles(site, others);
  if (doubles.length === 0) return [];
  const what = "Nothing is recorded twice then, but Claude Code may run each hook twice.";
  return site.scope === "project"
    ? [
        `All projects are recorded already, by the hooks in ${doubles.join(", ")}. ${what} To trust this project, \`carryon trust\` is enough.`,
      ]
    : [
        `There are projects with hooks of their own: ${doubles.join(", ")}. ${what} In each, \`carryon uninit\` takes its own ones back.`,
      ];
}

/** Returns the files of the other scope that have our hooks, and count in the same projects. */
export async function findDoubles(
  site: Omit<InstallSite, "isRepository" | "home">,
  others: readonly Install[],
): Promise<readonly string[]> {
  const scope = site.scope === "project" ? "user" : "project";
  const remembered = site.scope === "user" ? others.filter((each) => each.scope === scope) : [];
  const paths = new Set([
    ...(await locateIfAllowed({ ...site, scope })),
    ...remembered.map(({ settings }) => settings),
  ]);
  const found = await Promise.all([...paths].map(async (path) => ((await hasHooks(path)) ? [path] : [])));
  return found.flat();
}

/** Settings behind a link that is refused are not ours. */
async function locateIfAllowed(site: Omit<InstallSite, "isRepository" | "home">): Promise<readonly string[]> {
  const path = await unlessFailed(locateSettings(site), undefined);
  return path === undefined ? [] : [path];
}
