import type { Project } from "../sessions/project.ts";
import { openStore, openStoreForReading } from "../storage/open-store.ts";
import { followProjects } from "./follow-projects.ts";
import { locateHome } from "./locate-home.ts";
import { isNoStore, using } from "./open-here.ts";
import { findProject, locatePlace, recogniseProject } from "./recognise-project.ts";
import { distrustProject, readTrusts, trustProject } from "./trust.ts";
import type { Caller } from "./workspace.ts";

/** Returns the project of the current folder if it is trusted; changes nothing. */
export async function findTrusted({ env, userHome, cwd }: Caller): Promise<Project | undefined> {
  const home = locateHome(env, userHome);
  const trusts = await readTrusts(home);
  if (trusts.length === 0) return undefined;
  const place = await locatePlace(cwd);
  try {
    const project = await using(await openStoreForReading(home), ({ projects }) =>
      findProject(projects, place),
    );
    return trusts.some((trust) => trust.project === project?.id) ? project : undefined;
  } catch (error) {
    if (isNoStore(error)) return undefined;
    throw error;
  }
}

/** Trusts the project of the current folder; makes the store of this machine where there is none. */
export async function trustHere({ env, userHome, cwd, clock }: Caller): Promise<boolean> {
  const home = locateHome(env, userHome);
  const place = await locatePlace(cwd);
  const project = await using(await openStore(home), async ({ projects }) => {
    const recognised = await recogniseProject(projects, place);
    await followProjects(home, projects);
    return recognised;
  });
  return trustProject(home, project, { root: place.root, now: clock.now() });
}

/** Trusts the project of the current folder no longer; returns whether it was trusted. */
export async function distrustHere(context: Caller): Promise<boolean> {
  const project = await findTrusted(context);
  if (project === undefined) return false;
  return distrustProject(locateHome(context.env, context.userHome), project);
}
