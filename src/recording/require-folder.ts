import { stat } from "node:fs/promises";
import { listTranscripts } from "../clients/claude-code/locate.ts";
import { AppError } from "../lib/app-error.ts";
import type { Projects } from "../sessions/project.ts";
import { findGone } from "./recognise-folder.ts";

/** Throws unless a folder that a person named is there, or is known to the store or to the client: it was mistyped. */
export async function requireFolder(projects: Projects, client: string, folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory() === true || (await findGone(projects, folder)) !== undefined) return;
  if ((await listTranscripts(client, folder)).length > 0) return;
  const what = stats === undefined ? "is not there" : "is not a folder";
  throw new AppError(`${folder} ${what}, and nothing was recorded in it.`, {
    kind: "usage",
    code: "project-not-found",
    hint: "Give a folder of the project, such as `.`",
  });
}
