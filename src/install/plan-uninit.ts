import { dirname } from "node:path";
import { removeHooks } from "../clients/claude-code/hook-settings.ts";
import { forgetAnswers } from "../clients/claude-code/mcp-servers.ts";
import { readText } from "../lib/read-text.ts";
import { folderIdentity } from "../workspace/recognise-project.ts";
import { planInclusion } from "./exclude.ts";
import { type FileChange, inFile, refuseReadOnly } from "./file-change.ts";
import { findHeir, findInstall } from "./find-install.ts";
import { findPlugin, pluginId } from "./find-plugin.ts";
import { type Install, locateInstalls, readInstalls, renderInstalls } from "./install-record.ts";
import { type InstallSite, locateSettings } from "./locate-settings.ts";
import { planNoOffers } from "./offers.ts";
import { findExclusion } from "./plan-init.ts";
import { planNoPrograms } from "./programs.ts";
import { noSettings, readSettings, type SettingsFile } from "./read-settings.ts";
import { findDoubles } from "./warn-of-doubles.ts";

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
