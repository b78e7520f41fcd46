import { realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import {
  addHooks,
  describeBefore,
  listHookCommands,
  removeHooks,
} from "../../clients/claude-code/hook-settings.ts";
import { symlinkRefused } from "../../lib/file-error.ts";
import { launchFile } from "../../lib/hook-files.ts";
import { isTracked, planExclusion } from "./exclude.ts";
import { type FileChange, inFile, readText } from "./file-change.ts";
import { hookFiles, readHookBundle } from "./hook-bundle.ts";
import { renderHookCommand } from "./hook-command.ts";
import {
  type Install,
  type InstallScope,
  locateInstalls,
  readInstalls,
  renderInstalls,
} from "./install-record.ts";
import { warnOfSettings } from "./warn-of-settings.ts";

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

/** How Carryon is started again. */
export interface Launch {
  readonly node: string;
  readonly launcher: string;
  readonly version: string;
}

/** Everything that is to be written, in the order in which it is safe to. */
export interface InstallPlan {
  readonly changes: readonly FileChange[];
  /** What the user should know beyond the changes. */
  readonly warnings: readonly string[];
}

/** What a file of settings begins with that is made, and ends with when nothing else came into it. */
export const noSettings = "{}\n";

/** Plans an installation without writing anything; nothing is left to change where it is complete. */
export async function planInit(site: InstallSite, launch: Launch): Promise<InstallPlan> {
  const { home, scope, root } = site;
  const settings = await locateSettings(site);
  const text = await readText(settings);
  const hook = join(home, "bin", hookFiles[0]);
  const command = renderHookCommand({ node: launch.node, hook });
  const after = inFile(settings, () => addHooks(text ?? noSettings, command));
  const inRepository = scope === "project" && site.isRepository;
  const exclusion = inRepository ? await planExclusion(root, settings) : undefined;
  const installs = await readInstalls(home);
  const recorded = installs.find((each) => each.settings === settings);
  // A record without hooks is that of an attempt, or of hooks that somebody took out; the file may be another by now.
  const known = listHookCommands(text ?? noSettings).length > 0 ? recorded : undefined;
  const install: Install = {
    client: "claude-code",
    scope,
    settings,
    made: known?.made ?? { file: text === undefined, folder: !(await isThere(dirname(settings))) },
    empty: known?.empty ?? describeBefore(removeHooks(text ?? noSettings)).empty,
    exclude: recorded?.exclude ?? exclusion?.record ?? null,
  };
  const others = installs.filter((each) => each !== recorded);
  const record = locateInstalls(home);
  const changes = [
    ...(await planPrograms(home, launch)),
    { path: record, before: await readText(record), after: renderInstalls([...others, install]) },
    ...(exclusion === undefined ? [] : [exclusion.change]),
    { path: settings, before: text, after },
  ];
  const isCommitted = inRepository && (await isTracked(root, settings));
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    warnings: [
      ...(isCommitted ? [`${settings} is in commits, so that others will get these hooks.`] : []),
      ...warnOfSettings(settings, text ?? noSettings),
    ],
  };
}

/** Plans the files that hooks run: the hook itself, and how it starts Carryon. */
async function planPrograms(home: string, launch: Launch): Promise<readonly FileChange[]> {
  const bundle = await readHookBundle(launch.node);
  const files = [
    ...bundle.map(({ name, text }) => ({ path: join(home, "bin", name), after: text })),
    { path: join(home, "bin", launchFile), after: `${JSON.stringify(launch)}\n` },
  ];
  return Promise.all(files.map(async (file) => ({ ...file, before: await readText(file.path) })));
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

async function isThere(path: string): Promise<boolean> {
  return (await realpathOf(path)) !== undefined;
}
