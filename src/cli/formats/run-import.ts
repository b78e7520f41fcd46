import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BadImport } from "../../formats/bad-import.ts";
import { importLimits } from "../../formats/limits.ts";
import { describeLimit } from "../../formats/read-lines.ts";
import { AppError } from "../../lib/app-error.ts";
import { readFailed } from "../../lib/file-error.ts";
import { plural } from "../../lib/plural.ts";
import { writeFully } from "../../lib/write-fully.ts";
import { writeHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { type FileOutcome, type ImportChoices, importFiles } from "./import-files.ts";
import { type ImportFile, listImports } from "./list-imports.ts";
import { renderImported, renderProblems, toImportJson } from "./render-imported.ts";

export interface RunImportChoices extends ImportChoices {
  readonly json?: true | undefined;
  /** Takes what became of the sessions; standard output unless given. */
  readonly print?: (text: string) => void;
}

/** Imports a file, the exports of a folder, or standard input for `-`, and says what became of each session. */
export async function runImport(
  context: CommandContext,
  source: string,
  choices: RunImportChoices,
): Promise<void> {
  const run = (files: readonly ImportFile[]) =>
    writeHere(context, (here) => importFiles(context, here, files, choices));
  const outcomes =
    source === "-"
      ? await keepInput(context, (file) => run([file]))
      : await run(await listImports(context, source));
  const [only, ...others] = outcomes;
  // A single file that is bad is the error of the command itself.
  if (only !== undefined && others.length === 0 && "error" in only) throw nameFile(only);
  const { print = (text: string) => context.out(text) } = choices;
  print(choices.json ? `${renderJson(toImportJson(outcomes))}\n` : renderImported(outcomes));
  if (!choices.json) context.err(renderProblems(outcomes));
  const bad = outcomes.filter((outcome) => "error" in outcome || outcome.imported.problem !== undefined);
  if (bad.length > 0) throw notWhole(bad.length, outcomes.length);
}

function nameFile({ file, error }: Extract<FileOutcome, { error: AppError }>): AppError {
  const { kind, code, hint } = error;
  return new AppError(`${file.name}: ${error.message}`, { kind, code, hint, cause: error });
}

function notWhole(bad: number, all: number): AppError {
  return new AppError(`${bad} of ${plural(all, "file")} could not be imported whole.`, {
    kind: "usage",
    code: "import-incomplete",
  });
}

/** Keeps standard input in a file of its own while `work` runs, as it came: an import reads it twice. */
async function keepInput<Result>(
  { input }: CommandContext,
  work: (file: ImportFile) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), "carryon-import-"));
  try {
    const path = join(folder, "input");
    return await work({ path, name: "Standard input", bytes: await copy(input, path) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copy(input: AsyncIterable<Uint8Array>, path: string): Promise<number> {
  const handle = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const chunk of input) {
      bytes += chunk.byteLength;
      // Encrypted, it may be a little larger than what is in it.
      if (bytes > 2 * importLimits.totalBytes)
        throw new BadImport(undefined, `it is larger than ${describeLimit(importLimits.totalBytes)}`);
      await writeFully(handle, chunk);
    }
    return bytes;
  } catch (error) {
    throw readFailed("Standard input", error);
  } finally {
    await handle.close();
  }
}
