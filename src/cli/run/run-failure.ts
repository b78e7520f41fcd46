import { AppError } from "../../lib/app-error.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { Run } from "../../project/run/open-run.ts";

/** Says how a run is gone on with from a folder; where it worked in another one, that is named. */
export function renderResumeLine({ session, folder }: Pick<Run, "session" | "folder">, here: string): string {
  const place = folder === here ? "" : ` -d ${renderShellWord(folder)}`;
  return `Resume with: carryon run --resume --session ${renderShellWord(session)}${place}`;
}

/** What to do where the hint of an error is for a chat, by its code. */
const hints: Readonly<Record<string, string>> = {
  "model-not-found": "Name another one with -i for the instructor, or -w for the worker.",
  "context-too-long": "Name one that holds more with -i for the instructor, or -w for the worker.",
  "model-lost": "What had come of it is kept.",
  "model-silent": "What had come of it is kept.",
};

/** Returns the error that ended a run, with how to go on after it. What is no error of anybody stays as it is. */
export function toRunFailure(error: unknown, resumeLine: string): unknown {
  if (!(error instanceof AppError)) return error;
  const { message, kind, code, cause } = error;
  const hint = hints[code] ?? error.hint;
  const lines = [...(hint === undefined ? [] : [hint]), resumeLine];
  return new AppError(message, { kind, code, hint: lines.join("\n"), cause });
}
