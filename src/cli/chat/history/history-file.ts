import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessGone } from "../../../lib/app-error.ts";
import { writeFileAtomically } from "../../../lib/atomic-file.ts";
import { readFailed } from "../../../lib/file-error.ts";
import { withLock } from "../../../lib/file-lock.ts";
import { parseIfJson } from "../../../lib/json.ts";
import { appendJsonl } from "../../../lib/jsonl.ts";
import { hideSecrets } from "../../../redaction/hide-secrets.ts";

/** How many lines of the history are kept, and from how many on it is cut to these. */
export interface HistoryLimits {
  readonly kept: number;
  readonly most: number;
}

const usualLimits: HistoryLimits = { kept: 1000, most: 1500 };

/** A longer text is no line that anybody looks for again. */
const longestText = 100_000;

/** Returns where what was typed is kept, in the home. */
export function locateHistory(home: string): string {
  return join(home, "history");
}

/**
 * Reads what was typed before, in all chats of this user, oldest first, and cuts a file that has grown too long.
 *
 * Lines that hold no text are left alone.
 */
export async function openHistory(
  path: string,
  limits: HistoryLimits = usualLimits,
): Promise<readonly string[]> {
  const lines = await readLines(path);
  if (lines.length > limits.most) await cutHistory(path, limits);
  return lines.slice(-limits.kept).flatMap((line) => {
    const value = parseIfJson(line);
    return typeof value === "string" && value !== "" ? [value] : [];
  });
}

/**
 * Adds what was typed, without its secrets. When it returns, it survives a power cut.
 *
 * Under a lock, because a chat that cuts the file would else lose what another adds at that moment.
 */
export async function addToHistory(path: string, text: string): Promise<void> {
  if (text.trim() === "" || text.length > longestText) return;
  await withLock(path, () => appendJsonl(path, [hideSecrets(text)]));
}

function cutHistory(path: string, { kept }: HistoryLimits): Promise<void> {
  return withLock(path, async () => {
    const lines = (await readLines(path)).slice(-kept);
    await writeFileAtomically(path, lines.map((line) => `${line}\n`).join(""));
  });
}

async function readLines(path: string): Promise<readonly string[]> {
  try {
    const content = (await unlessGone(readFile(path, "utf8"))) ?? "";
    return content.split("\n").filter((line) => line !== "");
  } catch (error) {
    throw readFailed(path, error);
  }
}
