import type { GitOperation } from "../git-operation.ts";
import { describePath } from "../git-path.ts";
import type { ChangedPath } from "../git-status.ts";
import { hashContent, readContent } from "../save/changed-content.ts";
import type { SavedFile } from "../state/work-state.ts";
import { nameFew } from "./name-few.ts";
import { type IgnoredFiles, isIgnored, pathsOf } from "./saved-files.ts";
import type { Validation } from "./validation.ts";

/** What is known of the files that have changed. */
export interface KnownChanges extends IgnoredFiles {
  /** What the last save did not commit; it counts only once it has changed. */
  readonly leftOut: readonly SavedFile[];
  /** What git is in the middle of, if anything: then a save commits nothing. */
  readonly operation?: GitOperation | undefined;
}

/** Tells which files have changes that are in no commit. */
export async function checkChanges(
  root: string,
  changes: readonly ChangedPath[],
  known: KnownChanges,
): Promise<readonly Validation[]> {
  const leftOut = new Map(
    known.leftOut.flatMap(({ path, sha256 }) => pathsOf(path).map((each) => [each, sha256] as const)),
  );
  const found: string[] = [];
  for (const change of changes) {
    if (isIgnored(change.path, known)) continue;
    const saved = leftOut.get(change.path);
    if (saved === undefined || (await hashOf(root, change)) !== saved) found.push(describePath(change.path));
  }
  if (found.length === 0) return [];
  const message =
    found.length === 1
      ? `A file has changes that are not committed: ${nameFew(found)}.`
      : `${found.length} files have changes that are not committed: ${nameFew(found)}.`;
  const action =
    known.operation === undefined
      ? "Commit them (`carryon save` does) or stash them before you switch to another branch."
      : `Finish or abort the ${known.operation}: until then \`carryon save\` commits nothing.`;
  return [{ code: "UNCOMMITTED_CHANGES", message, action }];
}

/** A file that is gone may seem to be there behind a link that has taken the place of its folder. */
async function hashOf(root: string, { path, isGone, submodule }: ChangedPath): Promise<string | null> {
  return isGone || submodule !== undefined ? null : hashContent(readContent(root, path));
}
