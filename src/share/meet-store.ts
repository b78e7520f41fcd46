import { lstat, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { findRepository } from "../git/locate-root.ts";
import { AppError, unlessGone, usageError } from "../lib/app-error.ts";
import { foldersUp } from "../lib/folders-up.ts";
import { toFolderError } from "../storage/home-folder.ts";
import type { Store } from "../storage/open-store.ts";
import { noStore } from "../storage/store-errors.ts";
import type { StoreSite } from "../storage/store-site.ts";
import type { WritableProject } from "../workspace/open-project.ts";

/** Opens another store while `work` runs: to bring something there, where it is made if need be, or to take something from it. */
export async function meetStore<Result>(
  here: Pick<WritableProject, "store">,
  site: StoreSite,
  access: "make" | "read",
  work: (there: Store) => Promise<Result>,
): Promise<Result> {
  if (await isSamePlace(site.path, here.store.path)) throw sameStore(site.path);
  await requireMeetable(site, access);
  const there = await (access === "make" ? site.open() : site.openForReading());
  try {
    return await work(there);
  } finally {
    await there[Symbol.asyncDispose]();
  }
}

/** Where a home is reached by another name, its store is still the same. */
async function isSamePlace(there: string, here: string): Promise<boolean> {
  const find = async (path: string) => (await unlessGone(realpath(path))) ?? path;
  return (await find(there)) === (await find(here));
}

function sameStore(path: string): AppError {
  return usageError("same-store", `${path} is the store of this machine itself.`, {
    hint: "Name the other one, such as postgres://user@host/database or the home folder of another store.",
  });
}

/** Tells whether a folder has no store yet, so that writing would make one. */
export async function isMissing({ path, file }: StoreSite): Promise<boolean> {
  if (file === undefined) return false;
  try {
    return (await unlessGone(lstat(path))) === undefined;
  } catch (error) {
    throw toFolderError(error, path);
  }
}

/** Throws where another store cannot be met: there is none to read, or a new one would be in a git repository. */
export async function requireMeetable(site: StoreSite, access: "make" | "read"): Promise<void> {
  if (!(await isMissing(site))) return;
  if (access === "read") throw nothingThere(site.path);
  const folder = dirname(site.path);
  const repository = await findRepositoryOf(folder);
  if (repository !== undefined) throw inRepository(folder, repository);
}

/** Of a folder that is not there yet, the nearest one above it that is there decides. */
async function findRepositoryOf(folder: string): Promise<string | undefined> {
  for (const each of foldersUp(folder)) {
    const real = await unlessGone(realpath(each));
    if (real !== undefined) return findRepository(real);
  }
  return undefined;
}

function inRepository(folder: string, repository: string): AppError {
  return usageError(
    "store-in-repository",
    `${folder} is in the git repository ${repository}: a store there, with its key, could be committed.`,
    {
      hint: "Name a folder that is in no repository, such as ~/carryon-store, or a server such as postgres://user@host/database.",
    },
  );
}

/** Whoever wants to read another store is not helped by being told how to record something in this one. */
function nothingThere(path: string): AppError {
  const { message, kind, code } = noStore(path);
  const hint = "Check its name. `carryon push STORE --create` makes one.";
  return new AppError(message, { kind, code, hint });
}
