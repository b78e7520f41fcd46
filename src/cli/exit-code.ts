import { AppError, type ErrorKind } from "../lib/app-error.ts";
import { Interrupted } from "./interrupted.ts";

const codes: Readonly<Record<ErrorKind, number>> = {
  internal: 1,
  usage: 2,
  config: 3,
  conflict: 4,
  io: 74,
  busy: 75,
};

/** Returns the exit code that tells a script who has to act. */
export function exitCode(error: unknown): number {
  if (error instanceof Interrupted) return error.exitCode;
  return error instanceof AppError ? codes[error.kind] : codes.internal;
}
