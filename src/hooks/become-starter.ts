import { accessSync, constants } from "node:fs";

/** A program that is started and left to itself, and where. */
interface Program {
  readonly path: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A shell, and what gives a program a session of its own, so that it outlives the client and its terminal. */
const [shell, apart] = ["/bin/sh", "/usr/bin/setsid"];

/** Whatever fails, it ends with 0 and in silence: a client would take anything else for an answer. */
const script = `trap 'exit 0' EXIT; exec </dev/null >/dev/null 2>&1; ${apart} "$@" &`;

/** The system hands on as many variables as it has handed to us; an older Node does not survive its refusal. */
const mostCharacters = 100_000;

/**
 * Becomes a shell that starts a program and ends; returns where the system has no way to that. It takes a third of the time
 * in which Node loads what starts programs, starts one, and puts itself in order before it ends.
 */
export function becomeStarter({ path, args, cwd, env }: Program): void {
  if (process.platform !== "linux" || process.execve === undefined || !path.startsWith("/")) return;
  if (JSON.stringify(env).length > mostCharacters) return;
  try {
    for (const needed of [shell, apart]) accessSync(needed, constants.X_OK);
    process.chdir(cwd);
    process.execve(shell, ["sh", "-c", script, "sh", path, ...args], { ...env });
  } catch {
    // One of them is missing or not for us: whoever called goes another way.
  }
}
