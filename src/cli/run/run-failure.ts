import type { SessionId } from "../../conversation/ids.ts";
import { AppError } from "../../lib/app-error.ts";
import { renderShellWord } from "../../lib/shell-word.ts";

/** Says how a run is gone on with. */
export function renderResumeLine(session: SessionId): string {
  return `Resume with: carryon run --resume --session ${renderShellWord(session)}`;
}

/** What to do where the hint of an error is for a chat, by its code. */
const hints: Readonly<Record<string, string>> = {
  "model-not-found": "Name another one with -i for the instructor, or -w for the worker.",
  "context-too-long": "Name one that holds more with -i for the instructor, or -w for the worker.",
  "model-lost": "What had come of it is kept.",
  "model-silent": "What had come of it is kept.",
};

/** Returns the error that ended a run, with how to go on after it. What is no error of anybody stays as it is. */
export function toRunFailure(error: unknown, session: SessionId): unknown {
  if (!(error instanceof AppError)) return error;
  const { message, kind, code, cause } = error;
  const hint = hints[code] ?? error.hint;
  const lines = [...(hint === undefined ? [] : [hint]), renderResumeLine(session)];
  return new AppError(message, { kind, code, hint: lines.join("\n"), cause });
}
