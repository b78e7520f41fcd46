import { stat } from "node:fs/promises";
import { join } from "node:path";
import { contradicts, type Project, type Projects } from "../conversation/project.ts";
import { AppError } from "../lib/app-error.ts";
import { listIdentities, type Place } from "./recognise-project.ts";

/** Makes the project that was in a folder, which is gone, the one of a place; returns it. */
export async function relinkProject(projects: Projects, place: Place, old: string): Promise<Project> {
  if (await isThere(old)) {
    throw new AppError(`${old} is still there, so that its project has not moved.`, {
      kind: "usage",
      code: "folder-still-there",
      hint: "Give the folder that the project was in before.",
    });
  }
  const below = (await projects.list()).map(({ id }) => id).filter((id) => id.startsWith(`path:${old}/`));
  const former = [`folder:${join(old, ".git")}`, `path:${old}`, ...below];
  const known = await projects.known(former);
  if (known === undefined) {
    throw new AppError(`Nothing was recorded in ${old}.`, {
      kind: "usage",
      code: "nothing-recorded-there",
      hint: "Give the whole path of the folder; `carryon sessions --all --json` shows where sessions began.",
    });
  }
  const { identities, name } = await listIdentities(place);
  if (contradicts(known.id, identities)) {
    throw new AppError(`What was in ${old} is another project: its first commit is not in this one.`, {
      kind: "conflict",
      code: "another-project",
      hint: "Change to the folder that the project is in now.",
    });
  }
  return projects.recognise({ identities: [...identities, ...former], name });
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
