import { access, constants, readdir } from "node:fs/promises";
import { join } from "node:path";
import { judgeServer } from "../clients/claude-code/mcp-servers.ts";
import { AppError, unlessFailed } from "../lib/app-error.ts";
import { hookScript, launchFile, locateLauncher, locateProgram } from "../lib/hook-files.ts";
import { parseIfJson } from "../lib/json.ts";
import { readText } from "../lib/read-text.ts";
import { locateSpool, rejectedSuffix, spoolSuffix } from "../storage/spool-file.ts";
import { type Problem, toProblem } from "../storage/store-report.ts";
import { planExclusion } from "./exclude.ts";
import { inspectEvents, inspectSwitches } from "./inspect-settings.ts";
import { type Install, type InstallScope, readInstalls } from "./install-record.ts";
import { findPlugin, type InstallSite, locateSettings, pluginId } from "./locate-settings.ts";
import { readOwnFiles } from "./own-files.ts";
import { type Launch, parseHookCommand } from "./programs.ts";
import { listHooks, readSettings } from "./read-settings.ts";
import { locateServers } from "./server-entry.ts";

/** Hooks that were found in a file of settings. */
interface FoundHooks {
  readonly scope: InstallScope;
  readonly settings: string;
  readonly commands: readonly string[];
}

const scopes = ["project", "user"] as const;

/** Returns what is wrong with the hooks of a project and of its user, as far as they are installed. */
export async function inspectInstall(
  site: Omit<InstallSite, "scope" | "isRepository">,
  version: string,
): Promise<readonly Problem[]> {
  const looked = await Promise.all(scopes.map((scope) => findHooks({ ...site, scope })));
  const found = looked.filter((each) => "settings" in each);
  const installed = found.filter(({ commands }) => commands.length > 0);
  const troubles = [
    ...looked.filter((each) => "what" in each),
    ...inspectTwice(installed),
    ...(await inspectPlugin(site, installed)),
    ...(await Promise.all(installed.map((each) => inspectOffers(site, each)))).flat(),
    ...(await Promise.all(found.map(inspectCommands))).flat(),
    ...(await Promise.all(installed.map((each) => inspectExclusion(site.root, each)))).flat(),
    ...(await Promise.all(installed.map(inspectEvents))).flat(),
    ...(installed.length === 0 ? [] : (await Promise.all(found.map(inspectSwitches))).flat()),
    ...(found.length === 0 ? [] : await inspectLaunch(site.home, version, installed)),
  ];
  return [...troubles, ...(await inspectSpool(site.home))];
}

/** Where hooks come from: settings of a project, those of its user, or our plugin. */
export type HookSource = InstallScope | "plugin";

/** Returns where the hooks of a project come from. */
export async function findSources(
  site: Omit<InstallSite, "scope" | "isRepository">,
): Promise<readonly HookSource[]> {
  const looked = await Promise.all(scopes.map((scope) => findHooks({ ...site, scope })));
  const plugin = await findPlugin(site);
  return [
    ...looked.flatMap((each) => ("settings" in each && each.commands.length > 0 ? [each.scope] : [])),
    ...(plugin.length > 0 ? (["plugin"] as const) : []),
  ];
}

async function findHooks(site: Omit<InstallSite, "isRepository">): Promise<FoundHooks | Problem> {
  try {
    const settings = await locateSettings(site);
    return { scope: site.scope, settings, commands: listHooks(await readSettings(settings)) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return toProblem(error);
  }
}

function inspectTwice(installed: readonly FoundHooks[]): readonly Problem[] {
  if (installed.length < 2) return [];
  return [
    {
      what: `The hooks are installed twice, so that Claude Code may run each twice; nothing is recorded twice: ${installed.map(({ settings }) => settings).join(", ")}.`,
      hint: "Take one of them back with `carryon uninit --scope project`.",
    },
  ];
}

/** A folder that has become a repository since would commit its hooks, which are of use on this machine only. */
async function inspectExclusion(
  root: string,
  { scope, settings, commands }: FoundHooks,
): Promise<readonly Problem[]> {
  if (scope !== "project" || commands.length === 0) return [];
  const exclusion = await planExclusion(root, [settings]);
  if (exclusion === undefined) return [];
  const hint =
    exclusion.type === "planned"
      ? "Run `carryon init` again: it tells git to leave the file out."
      : `Add \`${exclusion.lines.join("`, `")}\` to .gitignore. ${exclusion.error.message}`;
  return [{ what: `${settings} has hooks, and nothing keeps it out of commits.`, hint }];
}

async function inspectCommands({ scope, settings, commands }: FoundHooks): Promise<readonly Problem[]> {
  const hint = `Run \`carryon init --scope ${scope}\` again.`;
  const found = commands.map(async (command) => {
    const parsed = parseHookCommand(command);
    if (parsed === undefined) return [{ what: `A hook in ${settings} was changed by hand.`, hint }];
    const { node, hook } = parsed;
    const gone = [
      ...((await isAllowed(node, constants.X_OK)) ? [] : [node]),
      ...((await isAllowed(hook, constants.R_OK)) ? [] : [hook]),
    ];
    return gone.map((path) => ({
      what: `The hooks in ${settings} record nothing: ${path} has gone.`,
      hint,
    }));
  });
  return (await Promise.all(found)).flat();
}

/** Looks at what hooks start: they record without it, but nobody takes in what they recorded. */
async function inspectLaunch(
  home: string,
  version: string,
  [installed]: readonly FoundHooks[],
): Promise<readonly Problem[]> {
  const path = join(home, "bin", launchFile);
  const text = await readText(path);
  // A plain `carryon init` would install hooks here that are elsewhere now.
  const hint =
    installed === undefined
      ? "Run `carryon init` again in a project that is recorded."
      : `Run \`carryon init --scope ${installed.scope}\` again.`;
  if (text === undefined && installed === undefined) return [];
  if (text === undefined) return [{ what: `Hooks cannot start sync: ${path} has gone.`, hint }];
  const launch = parseLaunch(text);
  if (launch.version !== version) {
    const what = `The hooks are of version ${launch.version ?? "unknown"}, Carryon is ${version}.`;
    return [{ what, hint }];
  }
  if (await isAllowed(String(launch.launcher), constants.R_OK)) return [];
  return [{ what: `Hooks cannot start sync: ${launch.launcher} has gone.`, hint }];
}

function parseLaunch(text: string): Partial<Launch> {
  // A file that cannot be read is as good as one of another version.
  return (parseIfJson(text) ?? {}) as Partial<Launch>;
}

async function inspectSpool(home: string): Promise<readonly Problem[]> {
  const folder = locateSpool(home);
  const names = await readdir(folder).catch(() => []);
  const waiting = names.filter((name) => !name.startsWith(".") && name.endsWith(spoolSuffix)).length;
  const rejected = names.filter((name) => name.endsWith(rejectedSuffix)).length;
  return [
    ...(waiting === 0
      ? []
      : [
          {
            what: `${waiting === 1 ? "An event" : `${waiting} events`} that hooks saw waited for the store in ${folder}.`,
            hint: "Run `carryon sync`: it takes them in.",
          },
        ]),
    ...(rejected === 0
      ? []
      : [
          {
            what: `${rejected === 1 ? "A file" : `${rejected} files`} in ${folder} could not be read.`,
            hint: `Look into the files that end in ${rejectedSuffix}, and delete them if they are of no use.`,
          },
        ]),
  ];
}

async function isAllowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

type OfferSite = Omit<InstallSite, "scope" | "isRepository">;

/** Hooks that are installed in a file of settings. */
interface InstalledHooks {
  readonly scope: InstallScope;
  readonly settings: string;
}

/** Returns what is wrong with the commands, the skill and the server that came with hooks: what has gone or is not of this version. */
async function inspectOffers(
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
async function inspectPlugin(
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
  return unlessFailed(readInstalls(home), []);
}
