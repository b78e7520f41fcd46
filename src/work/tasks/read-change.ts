import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { readDocument } from "../../lib/markdown/read-document.ts";
import { resolveInside } from "../../lib/resolve-inside.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import { locateChange } from "./list-changes.ts";
import { parseTasks } from "./parse-tasks.ts";
import { type Tasks, toTasks } from "./tasks.ts";

/** A change of OpenSpec: what is to be done, and whether anybody has said why. */
export interface Change {
  readonly id: string;
  readonly isArchived: boolean;
  readonly hasProposal: boolean;
  /** Undefined where there is no tasks.md. */
  readonly tasks: Tasks | undefined;
}

/** Reads a change; undefined if there is none. Throws when its tasks are there and cannot be read. */
export async function readChange(root: string, id: string): Promise<Change | undefined> {
  const place = await locateChange(root, id);
  const folder = place && (await resolveInside(root, place.path));
  if (place === undefined || folder === undefined) return undefined;
  const proposal = await unlessGone(lstat(join(folder, "proposal.md")));
  return {
    id,
    isArchived: place.isArchived,
    hasProposal: proposal?.isFile() === true,
    tasks: await readTasks(root, join(place.path, "tasks.md")),
  };
}

async function readTasks(root: string, path: string): Promise<Tasks | undefined> {
  const file = await resolveInside(root, path);
  const text = file && (await readDocument(await realpath(root), file));
  return text === undefined ? undefined : toTasks(parseTasks(text));
}
