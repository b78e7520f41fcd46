import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessGone } from "../lib/app-error.ts";
import { hookFiles } from "../lib/hook-files.ts";

/** A file of the hook and what it holds. */
export interface HookFile {
  readonly name: string;
  readonly text: string;
}

/** Reads the files of a hook from a folder; undefined where they are not all there. */
export async function readHookFiles(folder: string): Promise<readonly HookFile[] | undefined> {
  const read = async (name: string) => {
    const text = await unlessGone(readFile(join(folder, name), "utf8"));
    return text === undefined ? [] : [{ name, text }];
  };
  const files = (await Promise.all(hookFiles.map(read))).flat();
  return files.length === hookFiles.length ? files : undefined;
}
