import type { Projects } from "../sessions/project.ts";
import { approvalsList, followInList } from "./project-list.ts";
import { trustFile } from "./trust.ts";

/**
 * Lets what the user has said of projects go with those that have come to be known by something stronger.
 *
 * To be called right after a project of this machine was recognised: later the same folder may be another project's.
 */
export async function followProjects(home: string, projects: Projects): Promise<void> {
  await followInList(home, trustFile, projects);
  await followInList(home, approvalsList, projects);
}
