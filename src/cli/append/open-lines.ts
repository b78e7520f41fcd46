import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { AppError, isSystemError, usageError } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import { type JsonlLine, readJsonl } from "../../lib/jsonl.ts";
import type { CommandContext } from "../command-context.ts";

/** A longer line is refused: a line is held in memory, several times over. */
export const maxLineBytes = 64_000_000;

/** Opens the lines of a file, or of standard input for `-`; a file that cannot be read is refused before anything is recorded. */
export async function openLines(context: CommandContext, file: string): Promise<AsyncIterable<JsonlLine>> {
  if (file === "-") return readJsonl(readInput(context.input), { maxLineBytes });
  const path = resolve(context.cwd, file);
  const refused = (reason: string, cause?: unknown) =>
    usageError("input-unreadable", `${path} cannot be read: ${reason}.`, { cause });
  try {
    if ((await stat(path)).isDirectory()) throw refused("it is a folder");
    return readJsonl(path, { maxLineBytes });
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (isSystemError(error, "ENOENT", "ENOTDIR")) throw refused("it does not exist", error);
    throw refused(error instanceof Error ? error.message : String(error), error);
  }
}

async function* readInput(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* input;
  } catch (error) {
    throw readFailed("Standard input", error);
  }
}
