import { AppError } from "../../lib/app-error.ts";
import { plural } from "../../lib/plural.ts";
import { writeHere } from "../../workspace/open-here.ts";
import type { CommandContext } from "../command-context.ts";
import { renderJson } from "../render-json.ts";
import { type FileOutcome, type ImportChoices, importFiles } from "./import-files.ts";
import { keepInput } from "./keep-input.ts";
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
