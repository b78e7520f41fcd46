import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { isSystemError } from "../../lib/app-error.ts";
import { type HeldFolder, inFolder, openIn } from "../confine/held-folder.ts";
import { isWithheld } from "../confine/place.ts";
import { readUpTo } from "../confine/read-place.ts";
import { toLines } from "../text/line-ends.ts";
import { readContent } from "../text/text-file.ts";
import type { ToolSurroundings } from "../tool.ts";
import { ToolRefused } from "../tool-refused.ts";
import type { PathFilter } from "./compile-glob.ts";
import type { LinePattern } from "./compile-pattern.ts";
import { type FolderFiles, findFiles } from "./find-files.ts";
import type { Hits } from "./hits.ts";

/** What is looked for, and until when. */
export interface SearchPlan {
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
export class FileSearch {
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
