import { lstat, readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sessionsFolder } from "../../formats/locate-claude-master.ts";
import { type AppError, isSystemError, usageError } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import type { CommandContext } from "../command-context.ts";

/** A file to import, and what messages call it. */
export interface ImportFile {
  readonly path: string;
  readonly name: string;
  readonly bytes: number;
}

const endings = /\.(?:jsonl|json|carryon|sexp|lisp|age)$/i;

/** Returns the file that is named, or all exports of a folder, in the order of their names; links in it are passed over. */
export async function listImports(context: CommandContext, name: string): Promise<readonly ImportFile[]> {
  const path = resolve(context.cwd, name);
  try {
    const stats = await stat(path);
    if (stats.isFile()) return [{ path, name, bytes: stats.size }];
    if (!stats.isDirectory()) throw unfit(path, "is neither a file nor a folder");
    const files = await listFolder(path, name);
    if (files.length === 0) throw unfit(path, "has no exports in it: .jsonl, .json, .sexp or .age");
    return files;
  } catch (error) {
    throw isSystemError(error, "ENOENT", "ENOTDIR") ? missing(path, error) : readFailed(path, error);
  }
}

/** The name may have been meant for a client. */
function missing(path: string, cause: unknown): AppError {
  return usageError("input-unreadable", `${path} does not exist.`, {
    hint: "Name a file or a folder; of clients, the history of claude-code can be read.",
    cause,
  });
}

async function listFolder(path: string, name: string): Promise<readonly ImportFile[]> {
  const files: ImportFile[] = [];
  for (const each of (await readdir(path)).filter((file) => endings.test(file)).sort()) {
    const stats = await lstat(join(path, each));
    // There, it names the session that was the current one, and is none itself.
    if (path.endsWith(sessionsFolder) && each === "current.json") continue;
    if (stats.isFile()) files.push({ path: join(path, each), name: join(name, each), bytes: stats.size });
  }
  return files;
}

function unfit(path: string, reason: string): AppError {
  return usageError("input-unreadable", `${path} ${reason}.`);
}
