import { hashContent } from "../save/changed-content.ts";
import type { SavedFile } from "../work-state.ts";
import { nameFew } from "./name-few.ts";
import { type IgnoredFiles, isIgnored, pathsOf, readSaved } from "./saved-files.ts";
import type { Validation } from "./validation.ts";

/** How a saved file is now. */
type Fate = "same" | "missing" | "changed";

/** Tells which of the files that were saved are gone, and which say something else. */
export async function checkFiles(
  root: string,
  files: readonly SavedFile[],
  ignored: IgnoredFiles,
): Promise<readonly Validation[]> {
  const fates: Readonly<Record<Fate, string[]>> = { same: [], missing: [], changed: [] };
  for (const file of files) {
    if (!pathsOf(file.path).some((path) => isIgnored(path, ignored)))
      fates[await readFate(root, file)].push(file.path);
  }
  return [...tellMissing(fates.missing), ...tellChanged(fates.changed)];
}

/** Without a hash it was gone, or too large to be read. */
async function readFate(root: string, { path, sha256 }: SavedFile): Promise<Fate> {
  const content = await readSaved(root, path);
  if (hashContent(content) === sha256) return "same";
  return content.type === "gone" ? "missing" : "changed";
}

function tellMissing(paths: readonly string[]): readonly Validation[] {
  if (paths.length === 0) return [];
  const message =
    paths.length === 1
      ? `A file that was saved is missing: ${nameFew(paths)}.`
      : `${paths.length} files that were saved are missing: ${nameFew(paths)}.`;
  return [
    { code: "FILE_MISSING", message, action: "Look with `git log --stat` where it went, before you go on." },
  ];
}

function tellChanged(paths: readonly string[]): readonly Validation[] {
  if (paths.length === 0) return [];
  const message =
    paths.length === 1
      ? `A file has changed since it was saved: ${nameFew(paths)}.`
      : `${paths.length} files have changed since they were saved: ${nameFew(paths)}.`;
  return [
    {
      code: "FILE_CHANGED",
      message,
      action: "Read it again, for it is not as it was when the work was saved.",
    },
  ];
}
