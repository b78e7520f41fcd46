import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import {
  locateExcludeList,
  readExcludeList,
  refuseUnwritable,
  renderAdded,
  takeOut,
  toPattern,
} from "../git/exclude-list.ts";
import { readGitFacts } from "../git/git-facts.ts";
import { findShown } from "../git/kept-out.ts";
import { AppError } from "../lib/app-error.ts";
import type { FileChange } from "./file-change.ts";
import type { Install } from "./install-record.ts";

/** How files are kept out of commits; or by which lines they would be, and why those cannot be added. */
export type Exclusion =
  | {
      readonly type: "planned";
      readonly change: FileChange;
      readonly record: NonNullable<Install["exclude"]>;
    }
  | { readonly type: "impossible"; readonly lines: readonly string[]; readonly error: AppError };

/** Plans to keep files out of commits; undefined where all are out already, or commits have them. */
export async function planExclusion(root: string, files: readonly string[]): Promise<Exclusion | undefined> {
  const lines = (await findShown(root, files)).map(toPattern);
  const path = lines.length === 0 ? undefined : await locateExclusions(root);
  if (path === undefined) return undefined;
  return unlessRefused<Exclusion>(
    async () => {
      await refuseUnwritable(path);
      const before = await readExcludeList(path);
      const added = renderAdded(before, lines);
      const after = Buffer.concat([before ?? Buffer.alloc(0), Buffer.from(added)]);
      return {
        type: "planned",
        change: toChange({ path, before, after, isTakenBack: false }),
        record: { path, added, made: before === undefined },
      };
    },
    (error) => ({ type: "impossible", lines, error }),
  );
}

/** Returns one exclusion for two that were added to the same list one after the other. */
export function joinExclusions(
  old: Install["exclude"],
  young: NonNullable<Install["exclude"]>,
): NonNullable<Install["exclude"]> {
  if (old === null || old.path !== young.path) return young;
  return { ...old, added: `${old.added}${young.added}` };
}

/** Returns the file in which git is told what to leave out; undefined outside a repository. */
export async function locateExclusions(root: string): Promise<string | undefined> {
  const git = await readGitFacts(root);
  return git && locateExcludeList(git.commonFolder);
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
      const rest = before && takeOutAll(before, added);
      if (rest === undefined) return {};
      await refuseUnwritable(path);
      const after = made && rest.length === 0 ? undefined : rest;
      const change = toChange({ path, before, after, isTakenBack: true });
      return { change: { ...change, folders: made ? [dirname(path)] : [] } };
    },
    ({ message }) => ({ stays: `${path} still names what was installed: ${message}` }),
  );
}

/** Takes out what was added, also where it was added in parts and others added theirs between; undefined where none is left. */
function takeOutAll(list: Buffer, added: string): Buffer | undefined {
  const whole = takeOut(list, added);
  if (whole !== undefined) return whole;
  const parts = added.match(/^\r?\n[^\n]+\n|[^\n]+\n/g) ?? [];
  return parts.reduceRight<Buffer | undefined>(
    (rest, part) => takeOut(rest ?? list, part) ?? takeOut(rest ?? list, part.trimStart()) ?? rest,
    undefined,
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
