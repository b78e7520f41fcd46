import { firstCommit } from "../../conversation/project.ts";
import { readText } from "./file-change.ts";
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
 * here; a project without commits, or a user, is known again when only one file is gone.
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
  if (wanted.length > 0) return lost.find((each) => shares(each, wanted));
  const [only, ...others] = lost.filter((each) => !each.identities.some(isFirst));
  return others.length === 0 ? only : undefined;
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
