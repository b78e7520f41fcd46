import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { resolveInside } from "../lib/resolve-inside.ts";
import { inspectChange, isChangeId } from "./tasks/list-changes.ts";
import { type Tasks, toTasks } from "./tasks.ts";
import type { WorkState } from "./work-state.ts";

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
  const found = await inspectChange(root, id);
  if (found === undefined) return undefined;
  const { path, isArchived, hasProposal } = found;
  return { id, isArchived, hasProposal, tasks: await readTasks(root, join(path, "tasks.md")) };
}

/** Reads the change that a state names, be it archived, and no other; undefined if it names none that is there. */
export async function readSavedChange(
  root: string,
  { change }: Pick<WorkState, "change">,
): Promise<Change | undefined> {
  return change === null || !isChangeId(change) ? undefined : readChange(root, change);
}

async function readTasks(root: string, path: string): Promise<Tasks | undefined> {
  const file = await resolveInside(root, path);
  if (file === undefined) return undefined;
  // Loaded here, so that only who has such a file pays for what reads Markdown.
  const { readDocument } = await import("../lib/markdown/read-document.ts");
  const text = await readDocument(await realpath(root), file);
  return text === undefined ? undefined : toTasks((await import("./tasks/parse-tasks.ts")).parseTasks(text));
}
