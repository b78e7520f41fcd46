import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { addHooks, describeBefore, removeHooks } from "../clients/claude-code/hook-settings.ts";
import { forgetAnswers } from "../clients/claude-code/mcp-servers.ts";
import { describeExposed } from "../git/describe-exposed.ts";
import { isTracked } from "../git/kept-out.ts";
import { hookFile } from "../lib/hook-files.ts";
import { readText } from "../lib/read-text.ts";
import { folderIdentity } from "../workspace/recognise-project.ts";
import { type Exclusion, joinExclusions, locateExclusions, planExclusion, planInclusion } from "./exclude.ts";
import { type FileChange, inFile, refuseReadOnly } from "./file-change.ts";
import { findHeir, findInstall } from "./find-install.ts";
import { type Install, locateInstalls, readInstalls, renderInstalls } from "./install-record.ts";
import { findPlugin, type InstallSite, locateSettings, pluginId } from "./locate-settings.ts";
import { planNoOffers, planOffers } from "./own-files.ts";
import { type Launch, planNoPrograms, planPrograms, renderHookCommand } from "./programs.ts";
import { isBlank, listHooks, noSettings, readSettings, type SettingsFile } from "./read-settings.ts";
import { findDoubles, warnOfDoubles } from "./warn-of-doubles.ts";
import { warnOfSettings } from "./warn-of-settings.ts";

/** Plans what our plugin needs of this machine: the programs that it runs. The client has all the rest from the plugin. */
export async function planForPlugin(site: InstallSite, launch: Launch): Promise<InstallPlan> {
  const changes = await planPrograms(site.home, launch);
  await refuseReadOnly(changes);
  const isOn = (await findPlugin(site)).length > 0;
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    warnings: [],
    doubts: isOn ? [] : [`The plugin ${pluginId} is not on yet, and nothing is recorded until it is.`],
  };
}

/** What is to be installed, and for which project. */
interface InstallWish {
  readonly launch: Launch;
  /** Everything that the project is known by. */
  readonly identities: readonly string[];
  readonly now: Date;
  /** Whether the project is trusted with it, and was not before. */
  readonly trusts: boolean;
}

/** Everything that is to be written, in the order in which it is safe to. */
export interface InstallPlan {
  readonly changes: readonly FileChange[];
  /** What the user should know beyond the changes. */
  readonly warnings: readonly string[];
  /** Why the client may not run the hooks. */
  readonly doubts: readonly string[];
}

/** Plans an installation without writing anything; nothing is left to change where it is complete. */
export async function planInit(site: InstallSite, wish: InstallWish): Promise<InstallPlan> {
  const { home, scope, root } = site;
  const file = await readSettings(await locateSettings(site));
  const { path, settings } = file;
  const command = renderHookCommand({ node: wish.launch.node, hook: join(home, "bin", hookFile) });
  const after = inFile(path, () => addHooks(settings, command));
  const installs = await readInstalls(home);
  const recorded = await findInstall(installs, { scope, file, identities: wish.identities });
  const offers = await planOffers(site, recorded);
  const inRepository = scope === "project" && site.isRepository;
  const paths = [path, ...offers.changes.map((change) => change.path)];
  const exclusion = inRepository ? await planExclusion(root, paths) : undefined;
  const before = await findExclusion(recorded, root);
  const install: Install = {
    ...(await describeInstall(file, recorded)),
    ...{ client: "claude-code", scope, settings: path, at: recorded?.at ?? wish.now.toISOString() },
    identities: scope === "project" ? wish.identities : [],
    trusted: wish.trusts || recorded?.trusted === true,
    ...offers.record,
    exclude: exclusion?.type === "planned" ? joinExclusions(before, exclusion.record) : before,
  };
  const record = locateInstalls(home);
  const changes = [
    ...(await planPrograms(home, wish.launch)),
    {
      path: record,
      before: await readText(record),
      after: renderInstalls(replace(installs, recorded, install)),
    },
    ...(exclusion?.type === "planned" ? [exclusion.change] : []),
    ...offers.changes,
    { path, before: file.text, after },
  ];
  await refuseReadOnly(changes);
  const isCommitted = inRepository && (await isTracked(root, path));
  return {
    changes: changes.filter((each) => each.before !== each.after),
    warnings: [
      ...(isCommitted ? [`${path} is in commits, so that others will get these hooks.`] : []),
      ...(exclusion?.type === "impossible" ? [describeRefused(path, exclusion)] : []),
      ...offers.warnings,
      ...(await findPlugin(site)).slice(0, 1).map(describePlugin),
      ...(await warnOfDoubles(
        site,
        installs.filter((each) => each !== recorded),
      )),
    ],
    doubts: warnOfSettings(path, settings),
  };
}

function describePlugin(path: string): string {
  return `The plugin ${pluginId} is on in ${path} and brings all of this; \`carryon init --plugin\` is enough with it.`;
}

function describeRefused(path: string, { lines, error }: Extract<Exclusion, { type: "impossible" }>): string {
  return describeExposed(path, lines.join("`, `"), error);
}

/** An installation keeps its place among the others, so that nothing changes when nothing is new. */
function replace(
  installs: readonly Install[],
  recorded: Install | undefined,
  install: Install,
): readonly Install[] {
  if (recorded === undefined) return [...installs, install];
  return installs.map((each) => (each === recorded ? install : each));
}

/** Returns what the file was before; hooks that are in it already were put there when it was as remembered. */
async function describeInstall(
  file: SettingsFile,
  recorded: Install | undefined,
): Promise<Pick<Install, "made" | "blank" | "empty">> {
  // A record without hooks is that of an attempt, or of hooks that somebody took out; the file may be another by now.
  if (recorded !== undefined && listHooks(file).length > 0) return recorded;
  const { path, text, settings } = file;
  return {
    made: { file: text === undefined, folder: !(await isThere(dirname(path))) },
    blank: text !== undefined && isBlank(text) ? text : null,
    empty: describeBefore(removeHooks(settings)).empty,
  };
}

/** Returns what keeps the file out of commits already, and was put there by us; a repository takes it along when it moves. */
async function findExclusion(install: Install | undefined, root: string): Promise<Install["exclude"]> {
  const exclude = install?.exclude ?? null;
  if (exclude === null || (await isThere(exclude.path))) return exclude;
  const path = await locateExclusions(root);
  return path === undefined ? exclude : { ...exclude, path };
}

async function isThere(path: string): Promise<boolean> {
  return realpath(path).then(
    () => true,
    () => false,
  );
}

/** Everything that is to be taken back, in the order in which it is safe to. */
export interface UninstallPlan {
  readonly changes: readonly FileChange[];
  /** What is left to do after all of them: to forget the installation. */
  readonly record: FileChange | undefined;
  /** Whether the trust in the project goes too: it came with the hooks, and no others of the project are left. */
  readonly distrusts: boolean;
  /** What the user should know of what stays. */
  readonly stays: readonly string[];
}

/** Plans to take an installation back, without writing anything; hooks that nobody remembers go too. */
export async function planUninit(
  site: Omit<InstallSite, "isRepository">,
  identities: readonly string[],
): Promise<UninstallPlan> {
  const { home, scope } = site;
  const file = await readSettings(await locateSettings(site));
  const installs = await readInstalls(home);
  const install = await findInstall(installs, { scope, file, identities });
  const others = installs.filter((each) => each !== install);
  const known = install?.identities ?? [];
  // Work trees of one repository share what keeps files out of their commits; clones share the trust alone.
  const beside = await findHeir(others, known.filter(isFolder));
  const heir = beside ?? (await findHeir(others, known));
  const exclude = await findExclusion(install, site.root);
  const inclusion = exclude === null || beside !== undefined ? {} : await planInclusion(exclude);
  const left = others.map((each) =>
    each === heir ? inherit(each, install, beside === undefined ? null : exclude) : each,
  );
  const [plugin] = await findPlugin(site);
  const offers = await planNoOffers(site, install);
  const changes = [
    planSettings(file, install),
    ...offers.changes,
    ...(inclusion.change === undefined ? [] : [inclusion.change]),
    // Other installations, and the plugin, run the same programs, so that they go with the last.
    ...(left.length === 0 && plugin === undefined ? await planNoPrograms(home) : []),
  ];
  await refuseReadOnly(changes);
  return {
    changes: changes.filter(({ before, after }) => before !== after),
    record: install && (await planRecord(home, left)),
    distrusts: install?.trusted === true && heir === undefined,
    stays: [
      ...(inclusion.stays === undefined ? [] : [inclusion.stays]),
      ...offers.stays,
      ...(plugin === undefined ? [] : [`The plugin ${pluginId} is on in ${plugin} and goes on recording.`]),
      ...(await describeRest(site, others)),
    ],
  };
}

async function planRecord(home: string, left: readonly Install[]): Promise<FileChange> {
  const path = locateInstalls(home);
  return { path, before: await readText(path), after: renderInstalls(left) };
}

function isFolder(identity: string): boolean {
  return identity.startsWith(folderIdentity(""));
}

/** What was done once for all installations of a project is taken back with the last. */
function inherit(heir: Install, install: Install | undefined, exclude: Install["exclude"]): Install {
  return {
    ...heir,
    trusted: heir.trusted || install?.trusted === true,
    exclude: heir.exclude ?? exclude,
  };
}

async function describeRest(
  site: Omit<InstallSite, "isRepository">,
  others: readonly Install[],
): Promise<readonly string[]> {
  const doubles = (await findDoubles(site, others)).join(", ");
  if (doubles === "") return [];
  return site.scope === "project"
    ? [`This project is still recorded, by the hooks for all projects in ${doubles}.`]
    : [`Projects with hooks of their own are still recorded: ${doubles}.`];
}

function planSettings({ path, text, settings }: SettingsFile, install: Install | undefined): FileChange {
  const rest = inFile(path, () => {
    const unhooked = removeHooks(settings, { empty: install?.empty ?? [] });
    return (install?.server ?? null) === null ? unhooked : forgetAnswers(unhooked);
  });
  const isMade = install?.made.file === true;
  if (text === undefined || (rest === settings && !isMade)) return { path, before: text, after: text };
  return {
    path,
    before: text,
    after: rest.trim() !== noSettings.trim() ? rest : isMade ? undefined : (install?.blank ?? rest),
    folders: install?.made.folder === true ? [dirname(path)] : [],
  };
}
