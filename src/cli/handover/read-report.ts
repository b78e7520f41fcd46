import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { AppError, isSystemError } from "../../lib/app-error.ts";
import { decodeDocument } from "../../lib/markdown/decode-document.ts";
import type { CommandContext } from "../command-context.ts";

/** Reads a report from a file, or from standard input for `-`. */
export async function readReport(context: CommandContext, file: string): Promise<string> {
  const name = file === "-" ? "Standard input" : resolve(context.cwd, file);
  const refused = (reason: string, cause?: unknown) =>
    new AppError(`${name} cannot be read: ${reason}.`, { kind: "usage", code: "input-unreadable", cause });
  const bytes = await (file === "-" ? buffer(context.input) : readFile(name)).catch((error: unknown) => {
    const isMissing = isSystemError(error, "ENOENT", "ENOTDIR");
    throw refused(
      isMissing ? "it does not exist" : error instanceof Error ? error.message : String(error),
      error,
    );
  });
  const decoded = decodeDocument(bytes);
  if (decoded.type === "text") return decoded.text;
  throw refused(decoded.reason);
}
