import { basename, dirname } from "node:path";
import { readText } from "../lib/read-text.ts";
import { firstCommit } from "../sessions/project.ts";
import type { Install, InstallScope } from "./install-record.ts";
import { hasHooks, listHooks, type SettingsFile } from "./read-settings.ts";

/** Where hooks are, and what the project around them is known by. */
interface HooksAt {
  readonly scope: InstallScope;
  readonly file: SettingsFile;
  readonly identities: readonly string[];
}

/**
 * Returns what is remembered of the hooks in a file of settings.
 *
 * Where its folder has moved, it is the installation whose file is gone and that shares a first commit with the project
 * here; for a project without commits, or a user, one of a project that has none either. Of several it is the one in a
 * folder of the same name, as where a folder around them has moved.
 */
export async function findInstall(
  installs: readonly Install[],
  { scope, file, identities }: HooksAt,
): Promise<Install | undefined> {
  const exact = installs.find(({ settings }) => settings === file.path);
  if (exact !== undefined || listHooks(file).length === 0) return exact;
  const texts = await Promise.all(installs.map(({ settings }) => readText(settings)));
  const lost = installs.filter((each, index) => each.scope === scope && texts[index] === undefined);
  const isFirst = (identity: string) => identity.startsWith(firstCommit);
  const wanted = identities.filter(isFirst);
  const candidates = lost.filter((each) =>
    wanted.length > 0 ? shares(each, wanted) : !each.identities.some(isFirst),
  );
  const folder = nameOfFolder(file.path);
  const alike = candidates.filter(({ settings }) => nameOfFolder(settings) === folder);
  const [only, ...others] = candidates.length === 1 ? candidates : alike;
  return others.length === 0 ? only : undefined;
}

/** Returns the name of the folder that has the folder of settings. */
function nameOfFolder(settings: string): string {
  return basename(dirname(dirname(settings)));
}

/** Returns another installation, in use, of a project that is known by one of these. */
export async function findHeir(
  others: readonly Install[],
  identities: readonly string[],
): Promise<Install | undefined> {
  for (const other of others) {
    if (shares(other, identities) && (await hasHooks(other.settings))) return other;
  }
  return undefined;
}

/** Tells whether an installation is in a project that is known by one of these. */
function shares({ identities }: Install, wanted: readonly string[]): boolean {
  return identities.some((identity) => wanted.includes(identity));
}
