import type { Brand } from "../lib/brand.ts";

/** The strongest identity that a project is known by, such as `root:<hash of its first commit>`. */
export type ProjectId = Brand<string, "ProjectId">;

/** A repository, or a folder outside git. */
export interface Project {
  readonly id: ProjectId;
  readonly name: string;
}

/** What the identity of a project by its first commit begins with; nothing is stronger. */
export const firstCommit = "root:";

/** What the identity of a project by the repository that it was cloned from begins with. */
export const clonedFrom = "remote:";

/** Tells whether a project cannot be the one that was seen: two first commits are two projects, whatever else they share. */
export function contradicts(project: ProjectId, identities: readonly string[]): boolean {
  const isFirstCommit = (identity: string) => identity.startsWith(firstCommit);
  return isFirstCommit(project) && identities.some(isFirstCommit) && !identities.includes(project);
}

/** What was seen of a project in one place. */
export interface Sighting {
  /** Everything it may be known by, strongest first; at least one. */
  readonly identities: readonly string[];
  readonly name: string;
}

/** Knows projects by any of their identities, so that they survive moves, clones and worktrees. */
export interface Projects {
  /** Returns the project of a sighting and remembers its new identities; two projects that prove to be one become one. */
  recognise(sighting: Sighting): Promise<Project>;
  /** Returns the project known by the strongest of these identities, without remembering anything. */
  known(identities: readonly string[]): Promise<Project | undefined>;
  list(): Promise<readonly Project[]>;
  /** Returns the projects that go by a name: their own or their id; else that of the repository that they were cloned from. */
  called(name: string): Promise<readonly Project[]>;
}
