import { join } from "node:path";
import type { Project, Projects } from "../conversation/project.ts";
import { AppError } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { acquireLock } from "../lib/file-lock.ts";
import { readText } from "./install/file-change.ts";

/** A project whose gates and documents count, because the user said so. */
export interface Trust {
  readonly project: string;
  readonly name: string;
  /** Where it was when it was trusted; the project is known by more than its folder. */
  readonly root: string;
  readonly at: string;
}

/** Reads which projects the user trusts. */
export async function readTrusts(home: string): Promise<readonly Trust[]> {
  const path = locateTrusts(home);
  const text = await readText(path);
  if (text === undefined) return [];
  try {
    const value: { readonly version?: unknown; readonly projects?: unknown } | null = JSON.parse(text);
    if (value?.version === 1 && Array.isArray(value.projects)) return value.projects;
  } catch (cause) {
    throw unreadable(path, cause);
  }
  throw unreadable(path);
}

/** Tells whether the user trusts a project. */
export async function isTrustedProject(home: string, { id }: Pick<Project, "id">): Promise<boolean> {
  return (await readTrusts(home)).some(({ project }) => project === id);
}

/** Trusts a project; returns whether it was not trusted before. */
export function trustProject(
  home: string,
  { id, name }: Pick<Project, "id" | "name">,
  place: { readonly root: string; readonly now: Date },
): Promise<boolean> {
  const trust = { project: id, name, root: place.root, at: place.now.toISOString() };
  return change(home, (trusts) =>
    trusts.some(({ project }) => project === id) ? trusts : [...trusts, trust],
  );
}

/** Trusts a project no longer; returns whether it was trusted. */
export function distrustProject(home: string, { id }: Pick<Project, "id">): Promise<boolean> {
  return change(home, (trusts) => {
    const others = trusts.filter(({ project }) => project !== id);
    return others.length === trusts.length ? trusts : others;
  });
}

/**
 * Lets trust go with projects that have come to be known by something stronger: a repository by its first commit.
 *
 * To be called right after a project of this machine was recognised: later the same folder may be another project's.
 */
export async function followTrust(home: string, projects: Projects): Promise<void> {
  const trusts = await readTrusts(home).catch((error: unknown) => {
    // Whoever asks for trust is told of a file that cannot be read; what is recorded does not wait for that.
    if (error instanceof AppError) return [];
    throw error;
  });
  const renamed = new Map<string, string>();
  for (const { project } of trusts) {
    const known = await projects.known([project]);
    if (known !== undefined && known.id !== project) renamed.set(project, known.id);
  }
  if (renamed.size === 0) return;
  await change(home, (stored) =>
    stored
      .map((trust) => ({ ...trust, project: renamed.get(trust.project) ?? trust.project }))
      .filter((trust, index, all) => all.findIndex(({ project }) => project === trust.project) === index),
  );
}

async function change(
  home: string,
  decide: (trusts: readonly Trust[]) => readonly Trust[],
): Promise<boolean> {
  const path = locateTrusts(home);
  const lock = await acquireLock(path);
  try {
    const trusts = await readTrusts(home);
    const projects = decide(trusts);
    if (projects === trusts) return false;
    await writeFileAtomically(path, `${JSON.stringify({ version: 1, projects }, undefined, 2)}\n`);
    return true;
  } finally {
    await lock.release();
  }
}

function locateTrusts(home: string): string {
  return join(home, "trust.json");
}

function unreadable(path: string, cause?: unknown): AppError {
  return new AppError(`${path} cannot be read as a list of trusted projects.`, {
    kind: "config",
    code: "bad-trust",
    hint: "Move it away, and trust your projects again with `carryon trust`.",
    cause,
  });
}
