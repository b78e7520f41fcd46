import { AppError } from "../../lib/app-error.ts";
import { renderShellWord } from "../../lib/shell-word.ts";
import type { Run } from "../../run/open-run.ts";
import type { Speaker } from "../../run/run.ts";

/** Says how a run is gone on with from a folder; where it worked in another one, or is only in a file, that is named. */
export function renderResumeLine(
  { session, folder }: Pick<Run, "session" | "folder">,
  here: string,
  file?: string,
): string {
  const which =
    file === undefined ? `--session ${renderShellWord(session)}` : `--session-file ${renderShellWord(file)}`;
  const place = folder === here ? "" : ` -d ${renderShellWord(folder)}`;
  return `Resume with: carryon run --resume ${which}${place}`;
}

/** What to do where the hint of an error is for a chat, by its code. */
const hints: Readonly<Record<string, (asked: Speaker) => string>> = {
  "model-not-found": (asked) => `It is the ${asked}'s: name another one with ${options[asked]}.`,
  "context-too-long": (asked) => `It is the ${asked}'s: name one that holds more with ${options[asked]}.`,
  "model-lost": () => "What had come of it is kept.",
  "model-silent": () => "What had come of it is kept.",
};

const options: Readonly<Record<Speaker, string>> = { instructor: "-i", worker: "-w" };

/** Returns the error that ended a run, with how to go on after it. What is no error of anybody stays as it is. */
export function toRunFailure(error: unknown, resumeLine: string, asked: Speaker = "instructor"): unknown {
  if (!(error instanceof AppError)) return error;
  const { message, kind, code, cause } = error;
  const hint = hints[code]?.(asked) ?? error.hint;
  const lines = [...(hint === undefined ? [] : [hint]), resumeLine];
  return new AppError(message, { kind, code, hint: lines.join("\n"), cause });
}
