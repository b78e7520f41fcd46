import type { Project } from "../conversation/project.ts";
import type { Store } from "../storage/open-store.ts";
import { chooseStore, type StoreChoice } from "./choose-store.ts";
import { findProject, locatePlace, recogniseProject } from "./recognise-project.ts";

/** Where a surface was called: nothing below it looks at the process itself. */
export interface Surroundings extends StoreChoice {
  readonly cwd: string;
}

/** A store, and the project that the surroundings belong to. */
export interface OpenProject extends AsyncDisposable {
  readonly store: Store;
  /** Undefined only when it was opened for reading and the store has never seen the project. */
  readonly project: Project | undefined;
  readonly name: string;
  readonly root: string;
  readonly branch: string | null;
}

/** Opens the store and finds out which project this is; a project that is opened for writing is remembered. */
export async function openProject(surroundings: Surroundings, access: "read"): Promise<OpenProject>;
export async function openProject(
  surroundings: Surroundings,
  access: "write",
): Promise<OpenProject & { readonly project: Project }>;
export async function openProject(
  surroundings: Surroundings,
  access: "read" | "write",
): Promise<OpenProject> {
  const place = await locatePlace(surroundings.cwd);
  const site = await chooseStore(surroundings);
  const store = await (access === "write" ? site.open() : site.openForReading());
  try {
    const recognise = access === "write" ? recogniseProject : findProject;
    return {
      store,
      project: await recognise(store.projects, place),
      name: place.name,
      root: place.root,
      branch: place.branch,
      [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
    };
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}
