import { configError, unlessFailed } from "../lib/app-error.ts";
import type { Project } from "../sessions/project.ts";
import { trustFileName } from "./locate-home.ts";
import { changeList, isOfProject, type OfProject, type ProjectListFile, readList } from "./project-list.ts";

/** A project whose gates and documents count, because the user said so. */
export interface Trust extends OfProject {
  readonly name: string;
  /** Where it was when it was trusted; the project is known by more than its folder. */
  readonly root: string;
  readonly at: string;
}

/** Where it is remembered which projects are trusted. */
export const trustFile: ProjectListFile<Trust> = {
  name: trustFileName,
  field: "projects",
  isItem: (value): value is Trust => isOfProject(value),
  isSame: (one, other) => one.project === other.project,
  unreadable: (path, cause) =>
    configError("bad-trust", `${path} cannot be read as a list of trusted projects.`, {
      hint: "Move it away, and trust your projects again with `carryon trust`.",
      cause,
    }),
};

/** Reads which projects the user trusts. */
export function readTrusts(home: string): Promise<readonly Trust[]> {
  return readList(home, trustFile);
}

/** Tells whether the user trusts a project. */
export async function isTrustedProject(home: string, { id }: Pick<Project, "id">): Promise<boolean> {
  return (await readTrusts(home)).some(({ project }) => project === id);
}

/** Tells the same; a list of trusted projects that cannot be read trusts none, and stops nobody. */
export async function isSurelyTrusted(home: string, project: Pick<Project, "id">): Promise<boolean> {
  return unlessFailed(isTrustedProject(home, project), false);
}

/** Trusts a project; returns whether it was not trusted before. */
export function trustProject(
  home: string,
  { id, name }: Pick<Project, "id" | "name">,
  place: { readonly root: string; readonly now: Date },
): Promise<boolean> {
  const trust = { project: id, name, root: place.root, at: place.now.toISOString() };
  return changeList(home, trustFile, (trusts) =>
    trusts.some(({ project }) => project === id) ? trusts : [...trusts, trust],
  );
}

/** Trusts a project no longer; returns whether it was trusted. */
export function distrustProject(home: string, { id }: Pick<Project, "id">): Promise<boolean> {
  return changeList(home, trustFile, (trusts) => {
    const others = trusts.filter(({ project }) => project !== id);
    return others.length === trusts.length ? trusts : others;
  });
}
