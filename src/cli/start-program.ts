import { spawn } from "node:child_process";
import { once } from "node:events";
import { isSystemError, usageError } from "../lib/app-error.ts";
import { underUserUmask } from "../lib/user-umask.ts";

/** A program to start in the place of this one. */
export interface Program {
  readonly cwd: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs a program on this terminal and returns how it ended: its exit code, or that of a signal. */
export async function startProgram({ cwd, program, args, env }: Program): Promise<number> {
  const child = underUserUmask(() => spawn(program, args, { cwd, env, stdio: "inherit" }));
  try {
    await once(child, "spawn");
  } catch (cause) {
    if (!isSystemError(cause, "ENOENT", "EACCES")) throw cause;
    throw usageError("no-client", `${program} could not be started: it is not on the PATH.`, {
      hint: "Install it, or print the command with --print and run it where it is.",
      cause,
    });
  }
  const [code] = await once(child, "exit");
  return typeof code === "number" ? code : 1;
}
