/**
 * Who has to act: the person at the prompt, the owner of the configuration, another process,
 * the owner of the disk, nobody (try again later), or us.
 */
export type ErrorKind = "usage" | "config" | "conflict" | "io" | "busy" | "internal";

export interface ErrorFacts {
  readonly kind: ErrorKind;
  /** Stable and documented in docs/errors.md; scripts may test for it. */
  readonly code: string;
  /** What to do about it: imperative, safe to paste, never a complete destructive command. */
  readonly hint?: string | undefined;
  readonly cause?: unknown;
}

/** Base of every error that this package throws on purpose. Anything else is a bug. */
export class AppError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(message: string, facts: ErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = new.target.name;
    this.kind = facts.kind;
    this.code = facts.code;
    this.hint = facts.hint;
  }
}

type ErrorDetails = Pick<ErrorFacts, "hint" | "cause">;

/** Returns an error that the person at the prompt has to act on. */
export function usageError(code: string, message: string, details: ErrorDetails = {}): AppError {
  return new AppError(message, { kind: "usage", code, ...details });
}

/** Returns an error that the owner of the configuration has to act on. */
export function configError(code: string, message: string, details: ErrorDetails = {}): AppError {
  return new AppError(message, { kind: "config", code, ...details });
}

/** Returns an error about something that another process, or another person, has changed. */
export function conflictError(code: string, message: string, details: ErrorDetails = {}): AppError {
  return new AppError(message, { kind: "conflict", code, ...details });
}

/** Returns an error of the disk, the network or another program. */
export function ioError(code: string, message: string, details: ErrorDetails = {}): AppError {
  return new AppError(message, { kind: "io", code, ...details });
}

/** Returns an error that goes away when the same is tried later. */
export function busyError(code: string, message: string, details: ErrorDetails = {}): AppError {
  return new AppError(message, { kind: "busy", code, ...details });
}

/** Waits for something; returns a substitute where it fails with an error on purpose, of which others tell. */
export async function unlessFailed<Value, Other>(
  asked: Promise<Value>,
  substitute: Other,
): Promise<Value | Other> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AppError) return substitute;
    throw error;
  }
}

/** Tells whether an error of the operating system has one of the given codes, such as `ENOENT`. */
export function isSystemError(error: unknown, ...codes: readonly string[]): error is NodeJS.ErrnoException {
  return (
    error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code)
  );
}

/** The folder that a command was called in is gone. */
export function folderIsGone(cause?: unknown): AppError {
  return usageError("no-folder", "The current folder does not exist any more.", {
    hint: "Change to another folder.",
    cause,
  });
}

/** Waits for what was asked of the disk; undefined when it is not there any more, or never was. */
export async function unlessGone<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return undefined;
    throw error;
  }
}
