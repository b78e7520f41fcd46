import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Json } from "../../src/sessions/entry.ts";
import { openToolbox, type ToolboxOptions } from "../../src/tools/open-toolbox.ts";
import type { OutputListener, ToolOutcome } from "../../src/tools/tool.ts";
import { gitEnv } from "./git-repo.ts";

/** The tools in a folder, called as a conversation calls them. */
export interface OpenTools {
  run(name: string, input: Json, signal?: AbortSignal, onOutput?: OutputListener): Promise<ToolOutcome>;
  preview(name: string, input: Json): Promise<string | undefined>;
  describe(name: string, input: Json): string | undefined;
}

/** Opens the tools in a folder, with the variables of a test and what else is given. */
export async function openTools(folder: string, options: Partial<ToolboxOptions> = {}): Promise<OpenTools> {
  const toolbox = await openToolbox({ folder, env: gitEnv, ...options });
  return {
    run: (name, input, signal = new AbortController().signal, onOutput) =>
      toolbox.run(name, input, signal, onOutput),
    preview: (name, input) => toolbox.preview(name, input),
    describe: (name, input) => toolbox.find(name)?.describe(input),
  };
}

/** Makes files in a folder, and the folders on the way. */
export async function makeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

export const done = (output: string): ToolOutcome => ({ output, failed: false });
export const refused = (output: string): ToolOutcome => ({ output, failed: true });

/** What a change of a file would change, its bytes among it; that it was read changes nothing. */
export async function stateOf(path: string) {
  const { ino, mode, uid, gid, mtimeMs, ctimeMs } = await stat(path);
  return { ino, mode, uid, gid, mtimeMs, ctimeMs, bytes: await readFile(path) };
}
