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
  /** Returns the project that each of these identities leads to by itself; those that lead to none are left out. */
  findEach(identities: readonly string[]): Promise<ReadonlyMap<string, Project>>;
  list(): Promise<readonly Project[]>;
  /** Returns the projects that go by a name: their own or their id; else that of the repository that they were cloned from. */
  called(name: string): Promise<readonly Project[]>;
}
