import { dirname, join } from "node:path";
import { removeHooks } from "../../clients/claude-code/hook-settings.ts";
import { launchFile } from "../../lib/hook-files.ts";
import { planInclusion } from "./exclude.ts";
import { type FileChange, inFile, readText } from "./file-change.ts";
import { hookFiles } from "./hook-bundle.ts";
import { type Install, locateInstalls, readInstalls, renderInstalls } from "./install-record.ts";
import { type InstallSite, locateSettings, noSettings } from "./plan-init.ts";

/** Plans to take an installation back, without writing anything; hooks that nobody remembers go too. */
export async function planUninit(site: Omit<InstallSite, "isRepository">): Promise<readonly FileChange[]> {
  const { home } = site;
  const settings = await locateSettings(site);
  const installs = await readInstalls(home);
  const install = installs.find((each) => each.settings === settings);
  const others = installs.filter((each) => each !== install);
  const inclusion = install?.exclude ? await planInclusion(install.exclude) : undefined;
  const record = locateInstalls(home);
  const changes = [
    await planSettings(settings, install),
    ...(inclusion === undefined ? [] : [inclusion]),
    { path: record, before: await readText(record), after: renderInstalls(others) },
    ...(others.length === 0 ? await planPrograms(home) : []),
  ];
  return changes.filter(({ before, after }) => before !== after);
}

async function planSettings(path: string, install: Install | undefined): Promise<FileChange> {
  const before = await readText(path);
  if (before === undefined) return { path, before, after: before };
  const rest = inFile(path, () => removeHooks(before, { empty: install?.empty ?? [] }));
  const isGone = install?.made.file === true && rest === noSettings;
  return {
    path,
    before,
    after: isGone ? undefined : rest,
    folders: install?.made.folder === true ? [dirname(path)] : [],
  };
}

/** Other installations run the same programs, so that they go with the last. */
async function planPrograms(home: string): Promise<readonly FileChange[]> {
  const paths = [...hookFiles, launchFile].map((name) => join(home, "bin", name));
  return Promise.all(
    paths.map(async (path) => ({
      path,
      before: await readText(path),
      after: undefined,
      folders: [dirname(path)],
    })),
  );
}
