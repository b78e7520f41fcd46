import { AppError, unlessFailed } from "../lib/app-error.ts";
import { findSession, noneOfProject } from "../sessions/find-session.ts";
import type { Session } from "../sessions/session.ts";
import type { Store } from "../storage/open-store.ts";
import { storeIsOnServer } from "../storage/store-errors.ts";
import type { StoreFile, StoreSite } from "../storage/store-site.ts";
import { chooseStore, type StoreChoice } from "./choose-store.ts";
import { locateHome } from "./locate-home.ts";
import { type OpenProject, openProject, type Surroundings } from "./open-project.ts";
import { type Caller, callerOf, type ReadOnlyWorkspace, type Workspace } from "./workspace.ts";

/** Returns where the store of this user is. */
export function storeOf(context: Caller): Promise<StoreSite> {
  return chooseStore(choiceOf(context));
}

/** Returns what can be done with a store that is a file, and throws for one on a server. */
export function requireFile({ file, path }: StoreSite): StoreFile {
  if (file === undefined) throw storeIsOnServer(path);
  return file;
}

/** Opens the store and the project of the current folder for reading while `work` runs. */
export async function readHere<Result>(
  context: Caller,
  work: (here: ReadOnlyWorkspace) => Promise<Result>,
): Promise<Result> {
  return using(await openProject(surroundingsOf(context), "read"), (here) =>
    work(toWorkspace(context, { ...here, store: keepDerived(choiceOf(context), here.store) })),
  );
}

/** Opens the store and the project of the current folder for writing while `work` runs. */
export async function writeHere<Result>(
  context: Caller,
  work: (here: Workspace) => Promise<Result>,
): Promise<Result> {
  return using(await openProject(surroundingsOf(context), "write"), (here) =>
    work(toWorkspace(context, here)),
  );
}

function surroundingsOf(context: Caller): Surroundings {
  return { cwd: context.cwd, ...choiceOf(context) };
}

function toWorkspace<Here extends OpenProject>(context: Caller, here: Here) {
  return { ...callerOf(context), ...here, log: here.store.log };
}

/** Gives a thing to `work` and closes it afterwards, whatever happens. */
export async function using<Thing extends AsyncDisposable, Result>(
  thing: Thing,
  work: (thing: Thing) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(thing);
  } finally {
    await thing[Symbol.asyncDispose]();
  }
}

/** Tells whether an error only says that nothing was ever recorded. */
export function isNoStore(error: unknown): boolean {
  return error instanceof AppError && error.code === "no-store";
}

/** Finds the session that a person means, those of this project first. */
export async function findHere(
  context: Pick<Caller, "clock">,
  here: OpenProject,
  text: string,
): Promise<Session> {
  if (text === "latest" && here.project === undefined) throw noneOfProject();
  return findSession(here.store.log, text, { project: here.project?.id, now: context.clock.now() });
}

/** Finds the session that a person wants to destroy: the beginning of a title is not enough. */
export function findToDestroy(
  context: Pick<Caller, "clock">,
  here: OpenProject,
  text: string,
): Promise<Session> {
  const scope = { project: here.project?.id, now: context.clock.now() };
  return findSession(here.store.log, text, { ...scope, titles: "whole" });
}

/** Says where this user wants the store to be. */
export function choiceOf({ env, userHome }: Caller): StoreChoice {
  return { home: locateHome(env, userHome), store: env.CARRYON_STORE };
}

/**
 * Returns a store that was opened for reading, and that keeps digests and takes new entries into its index all the same: it
 * is opened for writing meanwhile, where that is possible. Otherwise the next reader makes them again.
 */
function keepDerived(choice: StoreChoice, store: Store): Store {
  const write = async <Result>(work: (writable: Store) => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await using(await (await chooseStore(choice)).open(), work);
    } catch (error) {
      // A store may be read-only, full, or another user's.
      if (!(error instanceof AppError) || error.kind === "internal" || error.code === brokenIndex)
        throw error;
      return undefined;
    }
  };
  return {
    ...store,
    digests: {
      ...store.digests,
      keep: async (digests, asOf) => {
        if (digests.length > 0) await write((writable) => writable.digests.keep(digests, asOf));
      },
    },
    search: {
      ...store.search,
      catchUp: async (onProgress) =>
        (await unlessFailed(store.search.catchUp(onProgress), undefined)) ??
        (await write((writable) => writable.search.catchUp(onProgress))) ??
        0,
    },
  };
}

const brokenIndex = "search-index-broken";
