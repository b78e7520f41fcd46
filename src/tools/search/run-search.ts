import { type FileHandle, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { listKnown } from "../../git/list-files.ts";
import { isSystemError } from "../../lib/app-error.ts";
import { type HeldFolder, inFolder, openIn } from "../confine/held-folder.ts";
import {
  findPlace,
  isGitFolder,
  isWithheld,
  missing,
  type Place,
  readUpTo,
  requireFile,
} from "../confine/place.ts";
import { toLines } from "../text/line-ends.ts";
import { readContent } from "../text/text-file.ts";
import { ToolRefused, type ToolSurroundings } from "../tool.ts";
import { compileGlob, type PathFilter } from "./compile-glob.ts";
import { compilePattern, type LinePattern } from "./compile-pattern.ts";
import { Hits } from "./hits.ts";

/** How long a search may take; what is said after the hits has room too. */
const [usualMs, noteRoom] = [60_000, 400];

/** What is looked for, and where. */
export interface SearchRequest {
  readonly pattern: string;
  readonly path: string | undefined;
  readonly glob: string | undefined;
}

/** Finds lines in the files of a place, and returns them as a model reads them. */
export async function runSearch(request: SearchRequest, surroundings: ToolSurroundings): Promise<string> {
  const { path = ".", glob } = request;
  const { limits, signal } = surroundings;
  const pattern = compilePattern(request.pattern);
  const hits = new Hits(pattern, limits.outputCharacters - noteRoom);
  const place = await findPlace(surroundings, path);
  const isWanted = glob === undefined ? () => true : compileGlob(glob, place.names.join("/"));
  const limitMs = Math.min(usualMs, limits.commandMs);
  const deadline = AbortSignal.timeout(limitMs);
  const search = new FileSearch({ pattern, isWanted, hits, deadline }, surroundings);
  await searchPlace(search, place, surroundings);
  signal.throwIfAborted();
  const found = hits.count === 0 ? `[None of ${search.searched} files has a line with it.]\n` : hits.render();
  return `${found}${describeTooLarge(search.tooLarge)}${deadline.aborted ? describeLate(limitMs) : ""}`;
}

async function searchPlace(search: FileSearch, place: Place, surroundings: ToolSurroundings): Promise<void> {
  if (place.kind === "nothing") throw await missing(place, surroundings);
  if (place.kind === "folder") return await search.searchBelow(place.names);
  const { folders, name } = requireFile(place);
  await search.searchIn({ folders, names: [name] });
}

function describeTooLarge(count: number): string {
  if (count === 0) return "";
  return `[${count === 1 ? "1 file was" : `${count} files were`} too large to be searched.]\n`;
}

function describeLate(ms: number): string {
  return `[Stopped after ${ms / 1000} s: not all files were searched. Search in a folder, or with a glob.]\n`;
}

/** What is looked for, and until when. */
interface SearchPlan {
  readonly pattern: LinePattern;
  readonly isWanted: PathFilter;
  readonly hits: Hits;
  /** Ends the search with what has been found until then. */
  readonly deadline: AbortSignal;
}

/** How many files are read at once. */
const together = 8;

/** How much of a line is looked at: a longer one was made by a program. Other work has its turn after so long. */
const [longestLine, turnMs] = [10_000, 50];

/** What a name in a folder led to. */
type Opened = { readonly type: "text"; readonly text: string } | { readonly type: "too-large" | "nothing" };

/** One search through files, and what was looked at. */
class FileSearch {
  readonly #plan: SearchPlan;
  readonly #surroundings: ToolSurroundings;
  #turn = performance.now();
  searched = 0;
  tooLarge = 0;

  constructor(plan: SearchPlan, surroundings: ToolSurroundings) {
    this.#plan = plan;
    this.#surroundings = surroundings;
  }

  /** Looks through the files below a folder, in the order in which they are listed. */
  async searchBelow(folders: readonly string[]): Promise<void> {
    for await (const files of findFiles(this.#surroundings, folders)) {
      if (this.#plan.deadline.aborted) return;
      await this.searchIn(files);
    }
  }

  /** Looks through files of one folder. */
  async searchIn({ folders, names }: FolderFiles): Promise<void> {
    const { folder, withheld } = this.#surroundings;
    const path = join(folder, ...folders);
    if (isWithheld(withheld, path)) return;
    const wanted = names.filter((name) => this.#plan.isWanted([...folders, name].join("/")));
    if (wanted.length === 0) return;
    try {
      await inFolder(folder, folders, {}, (held) => this.#searchNames(held, folders, wanted));
    } catch (error) {
      // The list may name what is gone, and what is behind a link now.
      if (!isPassedOver(error)) throw error;
    }
  }

  async #searchNames(held: HeldFolder, folders: readonly string[], names: readonly string[]): Promise<void> {
    for (let at = 0; at < names.length && !this.#plan.deadline.aborted; at += together) {
      const some = names.slice(at, at + together);
      const opened = await Promise.all(some.map((name) => this.#open(held, name)));
      for (const [index, name] of some.entries()) {
        const found = opened[index];
        if (found?.type === "too-large") this.tooLarge += 1;
        if (found?.type === "text") await this.#searchText([...folders, name].join("/"), found.text);
      }
    }
  }

  async #open(held: HeldFolder, name: string): Promise<Opened> {
    try {
      const handle = await openIn(held, name);
      try {
        return await this.#read(handle);
      } finally {
        await handle.close();
      }
    } catch (error) {
      this.#surroundings.signal.throwIfAborted();
      if (isPassedOver(error)) return { type: "nothing" };
      throw error;
    }
  }

  async #read(handle: FileHandle): Promise<Opened> {
    const { limits, signal } = this.#surroundings;
    const stats = await handle.stat();
    if (!stats.isFile()) return { type: "nothing" };
    const bytes =
      stats.size > limits.fileBytes ? undefined : await readUpTo(handle, limits.fileBytes, signal);
    if (bytes === undefined) return { type: "too-large" };
    const content = readContent(bytes);
    return content.type === "text" ? content : { type: "nothing" };
  }

  async #searchText(path: string, text: string): Promise<void> {
    const { pattern, hits, deadline } = this.#plan;
    this.searched += 1;
    for (const [at, line] of toLines(text).entries()) {
      if (performance.now() - this.#turn > turnMs) await this.#giveTurn();
      if (deadline.aborted) break;
      if (pattern.isIn(line.length > longestLine ? line.slice(0, longestLine) : line))
        hits.add(path, at + 1, line);
    }
  }

  async #giveTurn(): Promise<void> {
    await nextTurn();
    this.#surroundings.signal.throwIfAborted();
    this.#turn = performance.now();
  }
}

/** What cannot be opened has nothing to be found in. */
function isPassedOver(error: unknown): boolean {
  return (
    error instanceof ToolRefused ||
    isSystemError(error, "ENOENT", "ENOTDIR", "EACCES", "EPERM", "ENAMETOOLONG", "ENXIO")
  );
}

/** Files of one folder, by their names; what is none, or gone, may be among them. */
interface FolderFiles {
  readonly folders: readonly string[];
  readonly names: readonly string[];
}

/** How deep repositories may lie in each other. */
const deepest = 5;

/** Returns the files below a folder that git does not ignore, folder by folder; without git, all but what is installed. */
async function* findFiles(
  surroundings: ToolSurroundings,
  folders: readonly string[],
  depth = 0,
): AsyncGenerator<FolderFiles> {
  const listed = await listKnown(join(surroundings.folder, ...folders), surroundings);
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
