import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { addHooks, describeBefore, removeHooks } from "../clients/claude-code/hook-settings.ts";
import { describeExposed } from "../git/describe-exposed.ts";
import { isTracked } from "../git/kept-out.ts";
import { hookFile } from "../lib/hook-files.ts";
import { readText } from "../lib/read-text.ts";
import { type Exclusion, joinExclusions, locateExclusions, planExclusion } from "./exclude.ts";
import { type FileChange, inFile, refuseReadOnly } from "./file-change.ts";
import { findInstall } from "./find-install.ts";
import { findPlugin, pluginId } from "./find-plugin.ts";
import { renderHookCommand } from "./hook-command.ts";
import { type Install, locateInstalls, readInstalls, renderInstalls } from "./install-record.ts";
import { type InstallSite, locateSettings } from "./locate-settings.ts";
import { planOffers } from "./offers.ts";
import { type Launch, planPrograms } from "./programs.ts";
import { isBlank, listHooks, readSettings, type SettingsFile } from "./read-settings.ts";
import { warnOfDoubles } from "./warn-of-doubles.ts";
import { warnOfSettings } from "./warn-of-settings.ts";

/** What is to be installed, and for which project. */
export interface InstallWish {
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
export async function findExclusion(install: Install | undefined, root: string): Promise<Install["exclude"]> {
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
