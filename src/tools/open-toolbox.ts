import { realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { usageError } from "../lib/app-error.ts";
import { readFailed } from "../lib/file-error.ts";
import { isInside } from "../lib/resolve-inside.ts";
import { suggest } from "../lib/suggest.ts";
import { bashTool } from "./bash/bash.ts";
import { followPath } from "./confine/place.ts";
import { editTool } from "./edit.ts";
import { listTool } from "./list.ts";
import { readTool } from "./read.ts";
import { searchTool } from "./search/search.ts";
import { capOutput } from "./text/cap-output.ts";
import type { OutputListener, Tool, Toolbox, ToolLimits, ToolSurroundings } from "./tool.ts";
import { writeTool } from "./write.ts";

export interface ToolboxOptions {
  /** The folder that the tools are confined to. */
  readonly folder: string;
  /** The variables of whoever uses the tools; commands get them without keys. They also tell where the home of Carryon is. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limits?: Partial<ToolLimits>;
  /** Further tools, which have nothing to do with the folder. */
  readonly more?: readonly Tool[];
}

const usualLimits: ToolLimits = {
  commandMs: 10 * 60 * 1000,
  outputCharacters: 30_000,
  fileBytes: 10_000_000,
};

/** The tools of a folder, of which none holds anything. */
export const workTools: readonly Tool[] = [readTool, listTool, searchTool, writeTool, editTool, bashTool];

/** Opens the tools for a folder, which must be there. Nothing is held open: there is nothing to close. */
export async function openToolbox(options: ToolboxOptions): Promise<Toolbox> {
  const { env } = options;
  const folder = await requireFolder(options.folder);
  const limits = { ...usualLimits, ...options.limits };
  const withheld = await findWithheld(folder, env);
  const surroundingsFor = (signal: AbortSignal, onOutput?: OutputListener): ToolSurroundings => ({
    folder,
    withheld,
    env,
    limits,
    signal,
    onOutput,
  });
  const tools = [...workTools, ...(options.more ?? [])];
  const find = (name: string) => tools.find((tool) => tool.name === name);
  return {
    tools,
    find,
    preview: async (name, input) => {
      const shown = find(name)?.preview(input, surroundingsFor(new AbortController().signal));
      // What cannot be shown is refused when it is run, and says why.
      const text = await shown?.catch(() => undefined);
      // Who is asked has to see all of it: nothing is cut.
      return text;
    },
    run: async (name, input, signal, onOutput) => {
      const tool = find(name);
      if (tool === undefined) return { output: describeUnknown(name, tools), failed: true };
      const { output, failed } = await tool.run(input, surroundingsFor(signal, onOutput));
      // A lone half of a character is refused by those who take the output further.
      return { output: capOutput(output, limits.outputCharacters).toWellFormed(), failed };
    },
  };
}

async function requireFolder(path: string): Promise<string> {
  try {
    const folder = await realpath(path);
    if ((await stat(folder)).isDirectory()) return folder;
  } catch (error) {
    throw readFailed(path, error);
  }
  throw usageError("no-folder", `${path} is not a folder.`, {
    hint: "Give the folder that the tools are to work in.",
  });
}

/** The home of Carryon holds its key and what was recorded; where it is in the folder, no tool touches it. */
async function findWithheld(folder: string, env: ToolboxOptions["env"]): Promise<readonly string[]> {
  const homes = [env.CARRYON_HOME, env.HOME && join(env.HOME, ".carryon")].filter(isGiven);
  const found = await Promise.all(homes.map((home) => followPath(folder, home)));
  return [...new Set(found.map(({ path }) => path))].filter(
    (path) => path !== folder && isInside(folder, path),
  );
}

function isGiven(path: string | undefined): path is string {
  return path !== undefined && path !== "";
}

function describeUnknown(name: string, tools: readonly Tool[]): string {
  const names = tools.map((tool) => tool.name);
  const [near] = suggest(name, names, 1);
  const meant = near === undefined ? "" : ` Perhaps you mean ${near}.`;
  return `There is no tool ${JSON.stringify(name.slice(0, 80))}.${meant} The tools are ${names.join(", ")}.`;
}
