import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { findOwnAgent } from "./ancestors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the variables that the client was started with for which a process works; undefined where the system does not
 * tell. What the client has read from files of settings since then is not among them.
 */
export async function readClientEnvironment(pid: number): Promise<Environment | undefined> {
  const client = await findOwnAgent(pid);
  return client && readStartEnvironment(client.pid);
}

/** Returns the variables that a process was started with; undefined where the system does not tell. */
async function readStartEnvironment(pid: number): Promise<Environment | undefined> {
  try {
    if (process.platform === "linux") return parseEnviron(await readFile(`/proc/${pid}/environ`, "utf8"));
    if (process.platform !== "darwin") return undefined;
    const { execFile } = process.getBuiltinModule("node:child_process");
    const env = { LC_ALL: "C", PATH: "/bin:/usr/bin" };
    const asked = ["-E", "-ww", "-o", "command=", "-p", String(pid)];
    return parsePsEnvironment((await promisify(execFile)("ps", asked, { env, maxBuffer: 8 << 20 })).stdout);
  } catch {
    // It is gone, or hides what it was started with.
    return undefined;
  }
}

/** Reads `/proc/<pid>/environ`. */
export function parseEnviron(text: string): Environment {
  return toEnvironment(text.split("\0"));
}

/** Reads what `ps -E -o command=` prints: the words of the command, then the variables, with a blank between all of them. */
export function parsePsEnvironment(text: string): Environment {
  return toEnvironment(text.trim().split(" "));
}

function toEnvironment(words: readonly string[]): Environment {
  const pairs = words.flatMap((word) => {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    return name === undefined ? [] : [[name, value ?? ""] as const];
  });
  return Object.fromEntries(pairs);
}
