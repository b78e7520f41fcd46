import { realpath } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { writeFileAtomically } from "../lib/atomic-file.ts";
import { parseIfJson } from "../lib/json.ts";
import { readText } from "../lib/read-text.ts";

/**
 * Reads the folders that a client, Claude Code unless told, was seen to use, the given one first, each once.
 *
 * CLAUDE_CONFIG_DIR may be set for the client alone: then only hooks know of its folder.
 */
export async function readClientFolders(
  home: string,
  current: string,
  client = "claude-code",
): Promise<readonly string[]> {
  return unique([current, ...(await readNoted(home, client))]);
}

/** Remembers folders that Claude Code was seen to use; a path from a folder that nobody knows later is of no use. */
export async function noteClientFolders(home: string, seen: readonly string[]): Promise<void> {
  const noted = await readNoted(home);
  const there: string[] = [];
  for (const folder of seen.filter((each) => isAbsolute(each)))
    if ((await realpathOf(folder)) !== undefined) there.push(folder);
  const folders = await unique([...noted, ...there]);
  if (folders.length === noted.length) return;
  await writeFileAtomically(locate(home), `${JSON.stringify({ version: 1, "claude-code": folders })}\n`);
}

/** A file that cannot be read is made anew: hooks tell of the folders again. */
async function readNoted(home: string, client = "claude-code"): Promise<readonly string[]> {
  const value = parseIfJson((await readText(locate(home))) ?? "null") as Noted | null | undefined;
  const folders = value?.[client];
  return Array.isArray(folders) ? folders.filter((each) => typeof each === "string") : [];
}

interface Noted {
  readonly [client: string]: unknown;
}

/** A folder and a link to it are one, under the name that comes first: its files are known by it. */
async function unique(folders: readonly string[]): Promise<readonly string[]> {
  const named = new Map<string, string>();
  for (const folder of folders) {
    const real = (await realpathOf(folder)) ?? folder;
    named.set(real, named.get(real) ?? folder);
  }
  return [...named.values()];
}

function realpathOf(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}

function locate(home: string): string {
  return join(home, "clients.json");
}
