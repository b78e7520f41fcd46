import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { askGitIn } from "../ask-git.ts";
import { inFolder } from "../confine/held-folder.ts";
import { isGitFolder } from "../confine/place.ts";
import type { ToolSurroundings } from "../tool.ts";

/** Files of one folder, by their names; what is none, or gone, may be among them. */
export interface FolderFiles {
  readonly folders: readonly string[];
  readonly names: readonly string[];
}

/** How deep repositories may lie in each other. */
const deepest = 5;

/** Returns the files below a folder that git does not ignore, folder by folder; without git, all but what is installed. */
export async function* findFiles(
  surroundings: ToolSurroundings,
  folders: readonly string[],
  depth = 0,
): AsyncGenerator<FolderFiles> {
  const listed = await listByGit(surroundings, folders);
  if (listed === undefined) {
    yield* walk(surroundings, folders);
    return;
  }
  yield* group(folders, listed.files);
  if (depth === deepest) return;
  for (const path of listed.repositories)
    yield* findFiles(surroundings, [...folders, ...path.split("/")], depth + 1);
}

/** Paths below a folder. A repository in another one has rules of its own. */
interface Listed {
  readonly files: readonly string[];
  readonly repositories: readonly string[];
}

/** Returns what git knows or does not ignore; undefined where git is not to be asked. */
async function listByGit(
  surroundings: ToolSurroundings,
  folders: readonly string[],
): Promise<Listed | undefined> {
  const cwd = join(surroundings.folder, ...folders);
  const [known, others] = await Promise.all([
    askGitIn(cwd, surroundings, ["ls-files", "-z", "--cached", "--stage"]),
    askGitIn(cwd, surroundings, ["ls-files", "-z", "--others", "--exclude-standard"]),
  ]);
  if (known?.code !== 0 || others?.code !== 0) return undefined;
  const found = [...parsePaths(known.stdout).map(parseStaged), ...parsePaths(others.stdout).map(parseOther)];
  if (found.length === 0 && (await isIgnored(cwd, surroundings))) return undefined;
  const pathsOf = (type: Found["type"]) => [
    ...new Set(found.filter((each) => each.type === type).map(({ path }) => path)),
  ];
  return { files: pathsOf("file"), repositories: pathsOf("repository") };
}

interface Found {
  readonly type: "file" | "repository";
  readonly path: string;
}

function parsePaths(text: string): readonly string[] {
  return Buffer.from(text, "latin1").toString().split("\0").slice(0, -1);
}

/** A line is `mode hash stage`, a tab and the path; a submodule has a mode of its own. */
function parseStaged(line: string): Found {
  const path = line.slice(line.indexOf("\t") + 1);
  return { type: line.startsWith("160000") ? "repository" : "file", path };
}

function parseOther(path: string): Found {
  return path.endsWith("/") ? { type: "repository", path: path.slice(0, -1) } : { type: "file", path };
}

/** A folder that is ignored is searched when it is named. */
async function isIgnored(cwd: string, surroundings: ToolSurroundings): Promise<boolean> {
  return (await askGitIn(cwd, surroundings, ["check-ignore", "-q", "."]))?.code === 0;
}

function* group(folders: readonly string[], paths: readonly string[]): Generator<FolderFiles> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const at = path.lastIndexOf("/");
    const folder = path.slice(0, Math.max(at, 0));
    const names = groups.get(folder);
    if (names === undefined) groups.set(folder, [path.slice(at + 1)]);
    else names.push(path.slice(at + 1));
  }
  for (const [folder, names] of groups)
    yield { folders: [...folders, ...folder.split("/").filter((name) => name !== "")], names };
}

async function* walk(
  surroundings: ToolSurroundings,
  folders: readonly string[],
): AsyncGenerator<FolderFiles> {
  surroundings.signal.throwIfAborted();
  const entries = await inFolder(surroundings.folder, folders, {}, (held) =>
    readdir(held.path, { withFileTypes: true }),
  ).catch(() => []);
  entries.sort((one, other) => (one.name < other.name ? -1 : 1));
  yield { folders, names: entries.filter((entry) => entry.isFile()).map(({ name }) => name) };
  for (const { name } of entries.filter((entry) => entry.isDirectory() && isSearched(entry.name)))
    yield* walk(surroundings, [...folders, name]);
}

function isSearched(name: string): boolean {
  return name !== "node_modules" && !isGitFolder(name);
}
