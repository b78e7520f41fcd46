import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type AppError, usageError } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import type { CommandContext } from "../command-context.ts";

/** Why a passphrase is asked for: a new one is typed twice. */
export type PassphraseUse = "encrypt" | "decrypt";

/** Returns the passphrase from a file, from CARRYON_PASSPHRASE, or as it is typed unseen on the terminal. */
export async function readPassphrase(
  context: CommandContext,
  file: string | undefined,
  use: PassphraseUse,
): Promise<string> {
  const given = file === undefined ? context.env.CARRYON_PASSPHRASE : await readFirstLine(context, file);
  const passphrase = given ?? (await ask(context, use));
  if (passphrase !== "") return passphrase;
  throw noPassphrase("An empty passphrase protects nothing.");
}

async function readFirstLine(context: CommandContext, file: string): Promise<string> {
  const path = resolve(context.cwd, file);
  try {
    const [line = ""] = (await readFile(path, "utf8")).split(/\r?\n/, 1);
    return line;
  } catch (error) {
    throw readFailed(path, error);
  }
}

async function ask(context: CommandContext, use: PassphraseUse): Promise<string> {
  if (!context.isTerminal.input || !context.isTerminal.error)
    throw noPassphrase("There is no terminal to ask for the passphrase.");
  const typed = (await context.askSecret("Passphrase")) ?? "";
  if (use === "decrypt" || typed === "") return typed;
  if ((await context.askSecret("The same again")) === typed) return typed;
  throw noPassphrase("The two are not the same.");
}

function noPassphrase(message: string): AppError {
  return usageError("no-passphrase", message, {
    hint: "Type it on a terminal, or give it with --passphrase-file or in CARRYON_PASSPHRASE.",
  });
}
