import { isUtf8 } from "node:buffer";
import { dirname, relative } from "node:path";
import { AppError } from "../../lib/app-error.ts";
import { renderAdded, takeOut, toPattern } from "../../work/exclude-lines.ts";
import { locateExcludeList, readExcludeList, refuseUnwritable } from "../../work/exclude-list.ts";
import { askGit } from "../../work/git.ts";
import { readGitFacts } from "../../work/git-facts.ts";
import type { FileChange } from "./file-change.ts";
import type { Install } from "./install-record.ts";

/** How a file is kept out of commits; or by which line it would be, and why that cannot be added. */
export type Exclusion =
  | { readonly type: "planned"; readonly change: FileChange; readonly record: Install["exclude"] }
  | { readonly type: "impossible"; readonly line: string; readonly error: AppError };

/** Plans to keep a file out of commits; undefined where it is out already, or where commits have it. */
export async function planExclusion(root: string, file: string): Promise<Exclusion | undefined> {
  const name = relative(root, file);
  const ignored = await askGit(root, ["check-ignore", "--quiet", "--", name]);
  if (ignored.code !== 1 || (await isTracked(root, file))) return undefined;
  const path = await locateExclusions(root);
  if (path === undefined) return undefined;
  const line = toPattern(name);
  return unlessRefused<Exclusion>(
    async () => {
      await refuseUnwritable(path);
      const before = await readExcludeList(path);
      const added = renderAdded(before, [line]);
      const after = Buffer.concat([before ?? Buffer.alloc(0), Buffer.from(added)]);
      return {
        type: "planned",
        change: toChange({ path, before, after, isTakenBack: false }),
        record: { path, added, made: before === undefined },
      };
    },
    (error) => ({ type: "impossible", line, error }),
  );
}

/** Returns the file in which git is told what to leave out; undefined outside a repository. */
export async function locateExclusions(root: string): Promise<string | undefined> {
  const git = await readGitFacts(root);
  return git && locateExcludeList(git.commonFolder);
}

/** Tells whether commits hold a file, so that what is written into it would be committed. */
export async function isTracked(root: string, file: string): Promise<boolean> {
  return (await askGit(root, ["ls-files", "--error-unmatch", "--", relative(root, file)])).code === 0;
}

/** How an exclusion is taken back: the change, if one is needed; or why it stays. */
export interface Inclusion {
  readonly change?: FileChange;
  readonly stays?: string;
}

/** Plans to take an exclusion back; nothing is planned where it has gone already. */
export function planInclusion({ path, added, made }: NonNullable<Install["exclude"]>): Promise<Inclusion> {
  return unlessRefused<Inclusion>(
    async () => {
      const before = await readExcludeList(path);
      const rest = before && takeOut(before, added);
      if (rest === undefined) return {};
      await refuseUnwritable(path);
      const after = made && rest.length === 0 ? undefined : rest;
      const change = toChange({ path, before, after, isTakenBack: true });
      return { change: { ...change, folders: made ? [dirname(path)] : [] } };
    },
    ({ message }) => ({ stays: `The line ${added.trim()} stays where it is: ${message}` }),
  );
}

interface ListChange {
  readonly path: string;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  readonly isTakenBack: boolean;
}

/** Returns a change of a list as text, in which what is no UTF-8 has a character for each byte. */
function toChange({ path, before, after, isTakenBack }: ListChange): FileChange {
  const encoding = isUtf8(before ?? Buffer.alloc(0)) ? "utf8" : "latin1";
  const list = { encoding, isTakenBack } as const;
  return { path, before: before?.toString(encoding), after: after?.toString(encoding), list };
}

async function unlessRefused<Result>(
  work: () => Promise<Result>,
  otherwise: (error: AppError) => Result,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return otherwise(error);
    throw error;
  }
}
