import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type AppError, configError, unlessFailed, unlessGone } from "../lib/app-error.ts";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { withLock } from "../lib/file-lock.ts";
import { readText } from "../lib/read-text.ts";
import type { Projects } from "../sessions/project.ts";

/** A file of the home folder that lists what the user has said of projects. */
export interface ProjectListFile<Item extends OfProject> {
  readonly name: string;
  /** The field that the list is in. */
  readonly field: string;
  readonly isItem: (value: unknown) => value is Item;
  /** Tells whether two items say the same of a project, so that the first of them is enough. */
  readonly isSame: (one: Item, other: Item) => boolean;
  /** Whether a file that others may write is refused: what it says would be theirs. */
  readonly isPrivate?: boolean;
  readonly unreadable: (path: string, cause?: unknown) => AppError;
}

/** What is said of a project, which is known by its id in the store of this machine. */
export interface OfProject {
  readonly project: string;
}

/** Tells whether a value says something of a project. */
export function isOfProject(value: unknown): value is OfProject & Readonly<Record<string, unknown>> {
  return (
    typeof value === "object" && value !== null && "project" in value && typeof value.project === "string"
  );
}

const version = 1;

/** Reads a list; a file that is not there is an empty one. */
export async function readList<Item extends OfProject>(
  home: string,
  file: ProjectListFile<Item>,
): Promise<readonly Item[]> {
  const path = locateList(home, file);
  const text = await readText(path);
  if (text === undefined) return [];
  if (file.isPrivate === true) await refuseOpenToOthers(path);
  const list = parseList(text, file, path);
  if (list === undefined) throw file.unreadable(path);
  return list;
}

function parseList<Item extends OfProject>(
  text: string,
  { field, isItem, unreadable }: ProjectListFile<Item>,
  path: string,
): readonly Item[] | undefined {
  try {
    const value: Readonly<Record<string, unknown>> | null = JSON.parse(text);
    const list = value?.version === version ? value[field] : undefined;
    return Array.isArray(list) && list.every(isItem) ? list : undefined;
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Changes a list while nobody else does; returns whether it is another one then. */
export async function changeList<Item extends OfProject>(
  home: string,
  file: ProjectListFile<Item>,
  decide: (items: readonly Item[]) => readonly Item[],
): Promise<boolean> {
  const path = locateList(home, file);
  return withLock(path, async () => {
    const before = await readList(home, file);
    const after = decide(before);
    if (after === before) return false;
    await writeFileAtomically(path, `${JSON.stringify({ version, [file.field]: after }, undefined, 2)}\n`);
    return true;
  });
}

/** Lets a list go with projects that have come to be known by something stronger: a repository by its first commit. */
export async function followInList<Item extends OfProject>(
  home: string,
  file: ProjectListFile<Item>,
  projects: Projects,
): Promise<void> {
  // Whoever asks for the list is told of a file that cannot be read; what is recorded does not wait for that.
  const items = await unlessFailed(readList(home, file), []);
  const renamed = new Map<string, string>();
  for (const project of new Set(items.map((item) => item.project))) {
    const known = await projects.known([project]);
    if (known !== undefined && known.id !== project) renamed.set(project, known.id);
  }
  if (renamed.size === 0) return;
  await changeList(home, file, (stored) =>
    stored
      .map((item) => ({ ...item, project: renamed.get(item.project) ?? item.project }))
      .filter((item, index, all) => all.findIndex((each) => file.isSame(each, item)) === index),
  );
}

async function refuseOpenToOthers(path: string): Promise<void> {
  const stats = await unlessGone(stat(path));
  if (process.platform === "win32" || stats === undefined || (stats.mode & 0o022) === 0) return;
  throw configError("list-exposed", `Other users can change ${path}, so that nothing in it counts.`, {
    hint: `Look through it, and run \`chmod go-w ${path}\``,
  });
}

function locateList(home: string, { name }: Pick<ProjectListFile<never>, "name">): string {
  return join(home, name);
}

/** What an approval is for, as far as a list of approvals has to know it. */
interface ApprovedFor extends OfProject {
  readonly kind?: unknown;
  readonly name?: unknown;
}

/** The file of the approved commands, one a project and purpose; what an approval is, `work/approvals.ts` knows. */
export const approvalsList: ProjectListFile<ApprovedFor> = {
  name: "approvals.json",
  field: "approvals",
  isItem: isOfProject,
  isSame: (one, other) => one.project === other.project && one.kind === other.kind && one.name === other.name,
  isPrivate: true,
  unreadable: (path, cause) =>
    configError("bad-approvals", `${path} cannot be read as a list of approved commands.`, {
      hint: "Move it away, and approve your commands again with `carryon check allow` and `carryon recovery allow`.",
      cause,
    }),
};
