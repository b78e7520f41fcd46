import { join } from "node:path";
import { unlessFailed } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { withLock } from "../lib/file-lock.ts";
import { parseIfJson } from "../lib/json.ts";
import { readText } from "../lib/read-text.ts";
import type { ProjectId } from "../sessions/project.ts";

/** The stores that projects were pushed to, as messages call them. */
export type PushedProjects = ReadonlyMap<string, readonly string[]>;

const version = 1;

/** Reads which projects were pushed, and where to. */
export async function readPushed(home: string): Promise<PushedProjects> {
  // Without it a warning is missing, and nothing else.
  const value = parseIfJson((await unlessFailed(readText(locate(home)), undefined)) ?? "");
  return isWritten(value) ? new Map(Object.entries(value.projects)) : new Map();
}

/** Writes down that projects were pushed to a store. */
export async function notePushed(home: string, projects: readonly ProjectId[], store: string): Promise<void> {
  const isKnown = (pushed: PushedProjects, project: ProjectId) =>
    pushed.get(project)?.includes(store) === true;
  const known = await readPushed(home);
  if (projects.every((project) => isKnown(known, project))) return;
  await withLock(join(home, "pushed"), async () => {
    const pushed = new Map(await readPushed(home));
    for (const project of projects)
      if (!isKnown(pushed, project)) pushed.set(project, [...(pushed.get(project) ?? []), store]);
    const written: Written = { version, projects: Object.fromEntries(pushed) };
    await writeFileAtomically(locate(home), `${JSON.stringify(written, undefined, 2)}\n`);
  });
}

interface Written {
  readonly version: typeof version;
  readonly projects: Readonly<Record<string, readonly string[]>>;
}

function isWritten(value: unknown): value is Written {
  if (typeof value !== "object" || value === null) return false;
  const { version: found, projects } = value as Partial<Written>;
  if (found !== version || typeof projects !== "object" || projects === null) return false;
  return Object.values(projects).every(
    (stores) => Array.isArray(stores) && stores.every((each) => typeof each === "string"),
  );
}

function locate(home: string): string {
  return join(home, "pushed.json");
}
