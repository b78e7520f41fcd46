import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import { hookFile } from "../lib/hook-files.ts";
import { fieldsOfStat } from "../lib/process-identity.ts";

/** A process that another one comes from. */
export interface Ancestor {
  readonly pid: number;
  readonly ppid: number;
  /** The name of its program, without its folder. */
  readonly name: string;
  /** The words that it was started with, as far as the system tells. */
  readonly words: readonly string[];
}

/** Returns what is known of a process; undefined when it is gone. */
type ProcessTable = (pid: number) => Promise<Ancestor | undefined>;

/** Programs that run others: who asks for a session is not one of them. */
const runners: ReadonlySet<string> = new Set([
  ...["sh", "bash", "zsh", "dash", "ash", "fish", "ksh", "mksh", "tcsh", "csh", "busybox", "pwsh", "cmd.exe"],
  ...["env", "timeout", "nice", "nohup", "setsid", "stdbuf", "time", "xargs"],
]);

/** The first process of a machine or a container takes in those whose parents are gone; it is nobody's client. */
const inits: ReadonlySet<string> = new Set("systemd init launchd tini dumb-init docker-init".split(" "));

const ownPrograms: ReadonlySet<string> = new Set([hookFile, "carryon.cjs", "carryon"]);

/** Returns the processes that a process comes from, the nearest first, without itself. */
export async function ancestorsOf(pid: number, table?: ProcessTable): Promise<readonly Ancestor[]> {
  const find = table ?? (await readProcessTable());
  const found: Ancestor[] = [];
  const seen = new Set([pid]);
  let next = (await find(pid))?.ppid;
  while (next !== undefined && next > 0 && !seen.has(next)) {
    seen.add(next);
    const ancestor = await find(next);
    if (ancestor === undefined) break;
    found.push(ancestor);
    next = ancestor.ppid;
  }
  return found;
}

/** Returns the client that a process works for: its nearest ancestor that does not just run other programs. */
export async function findOwnAgent(pid: number, table?: ProcessTable): Promise<Ancestor | undefined> {
  const ancestors = await ancestorsOf(pid, table);
  return ancestors.find(({ name, words }) => !runners.has(name) && !inits.has(name) && !isOwn(words));
}

/** Tells whether a process is Carryon: its launcher may wait for another Node that does the work. */
function isOwn(words: readonly string[]): boolean {
  const [program = "", script = ""] = words.filter((word) => !word.startsWith("-"));
  return [program, script].some((word) => ownPrograms.has(basename(word)));
}

async function readProcessTable(): Promise<ProcessTable> {
  if (process.platform === "linux") return readProc;
  const { execFile } = process.getBuiltinModule("node:child_process");
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=", "-o", "ppid=", "-o", "args="], {
    env: { LC_ALL: "C", PATH: "/bin:/usr/bin" },
    maxBuffer: 64 << 20,
  }).catch(() => ({ stdout: "" }));
  const processes = parseProcessTable(stdout);
  return async (pid) => processes.get(pid);
}

/** Reads what `ps -o pid= -o ppid= -o args=` prints. */
export function parseProcessTable(text: string): ReadonlyMap<number, Ancestor> {
  const lines = [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(.*)$/gm)];
  return new Map(
    lines.map(([, pid, ppid, args = ""]) => {
      const words = args.trim().split(/\s+/);
      const name = nameOf(words[0] ?? "");
      return [Number(pid), { pid: Number(pid), ppid: Number(ppid), name, words }];
    }),
  );
}

async function readProc(pid: number): Promise<Ancestor | undefined> {
  try {
    const [stat, cmdline] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile(`/proc/${pid}/cmdline`, "utf8"),
    ]);
    return parseProc(pid, stat, cmdline);
  } catch {
    // Gone, or hidden from this user: the line of ancestors ends there.
    return undefined;
  }
}

/** Reads `/proc/<pid>/stat` and `/proc/<pid>/cmdline`. */
export function parseProc(pid: number, stat: string, cmdline: string): Ancestor {
  const ppid = Number(fieldsOfStat(stat)[1]);
  const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
  return { pid, ppid, name: nameOf(name), words: cmdline.split("\0").filter((word) => word !== "") };
}

/** A shell that somebody logged in to has a dash before its name. */
function nameOf(word: string): string {
  return basename(word).replace(/^-/, "");
}

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
