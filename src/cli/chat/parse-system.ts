import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { AppError } from "../../lib/app-error.ts";
import type { CommandContext } from "../command-context.ts";

/** Returns what the model is told first: the text that was given, or for `@file` what stands in a file. */
export async function parseSystem({ cwd }: Pick<CommandContext, "cwd">, given: string): Promise<string> {
  if (!given.startsWith("@")) return given;
  const path = resolve(cwd, given.slice(1));
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError(`${path} cannot be read: ${reason}.`, {
      ...{ kind: "usage", code: "input-unreadable", cause },
      hint: "Name a file that is there, or give the text itself.",
    });
  }
}
