import { createHash } from "node:crypto";
import { readdir, readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { promisify } from "node:util";
import { isSystemError, unlessGone } from "./app-error.ts";

/** Names one run of one process, on any machine and for all time. Each null is something its system did not tell. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started; tells it from a later process that was given the same id. */
  readonly started: string | null;
  readonly boot: string | null;
  readonly host: string;
  /** The machine's own id, hashed: hosts may share a name. */
  readonly machine: string | null;
  readonly pidNamespace: string | null;
}

export type Liveness = "alive" | "gone" | "unknown";

/** The same number on every Linux: a process outside of all containers. */
const initialPidNamespace = "pid:[4026531836]";

let own: Promise<ProcessIdentity> | undefined;

/** Returns the identity of this process. Reads it once. */
export function readOwnIdentity(): Promise<ProcessIdentity> {
  own ??= readIdentity();
  return own;
}

async function readIdentity(): Promise<ProcessIdentity> {
  const facts = processFacts();
  const [started, boot, machine, pidNamespace] = await Promise.all([
    facts.readStart(process.pid),
    facts.readBoot(),
    facts.readMachine(),
    facts.readPidNamespace(),
  ]);
  return { pid: process.pid, started, boot, host: hostname(), machine, pidNamespace };
}

/**
 * Tells whether a process still runs.
 *
 * "gone" is certain: it is never said of a process on another machine or in another pid namespace, which cannot
 * be seen from here. "alive" may err where the system does not tell when a process started.
 */
export async function isAlive(
  identity: ProcessIdentity,
  facts: ProcessFacts = processFacts(),
): Promise<Liveness> {
  const place = comparePlaces(identity, await readOwnIdentity());
  if (place !== "here") return place;
  if (!Number.isSafeInteger(identity.pid) || identity.pid <= 0) return "unknown";
  if (!isListed(identity.pid)) return "gone";
  if (identity.started === null) return "alive";
  const started = await facts.readStart(identity.pid);
  if (started === identity.started) return "alive";
  // It may have ended since it was found in the list; else it is there, but hidden from this user.
  if (started === null) return isListed(identity.pid) ? "unknown" : "gone";
  return "gone";
}

/**
 * Compares where a process runs with where another does, without looking for either.
 *
 * A different boot of the same machine means "gone", but inside a container the name of the machine may come from
 * its image, so there it proves nothing.
 */
export function comparePlaces(identity: ProcessIdentity, here: ProcessIdentity): "here" | "gone" | "unknown" {
  if (identity.host !== here.host || identity.machine !== here.machine) return "unknown";
  if (identity.pidNamespace !== here.pidNamespace) return "unknown";
  if (identity.boot === here.boot) return "here";
  const contained = here.pidNamespace !== null && here.pidNamespace !== initialPidNamespace;
  const certain = here.machine !== null && here.boot !== null && identity.boot !== null && !contained;
  return certain ? "gone" : "unknown";
}

/** Tells whether the system lists a process, or with a negative number one of a group. */
function isListed(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (isSystemError(error, "ESRCH")) return false;
    if (isSystemError(error, "EPERM")) return true;
    throw error;
  }
}

/** What a system tells about processes. Each answer is null where it does not tell. */
interface ProcessFacts {
  /** When the process started: a number that no other process with the same id has in the same boot. */
  readStart(pid: number): Promise<string | null>;
  /** Names the time since the machine was last started. */
  readBoot(): Promise<string | null>;
  /** Names the machine, hashed, because the id itself is not meant to be shown. */
  readMachine(): Promise<string | null>;
  readPidNamespace(): Promise<string | null>;
}

/** The start of a process that has ended but is still listed, because its parent has not asked for its end yet. */
const ended = "ended";

/** Returns the fields of `/proc/<pid>/stat` behind the name: the state, the parent, the group and so on. */
export function fieldsOfStat(text: string): readonly string[] {
  // The name of the program stands in brackets and may itself hold brackets and spaces.
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}

/** Returns the start of a process in clock ticks since the boot, from the text of `/proc/<pid>/stat`. */
export function parseProcStat(text: string): string | null {
  const [state, ...rest] = fieldsOfStat(text);
  if (state === "Z" || state === "X") return ended;
  const start = rest[18];
  return start !== undefined && /^\d+$/.test(start) ? start : null;
}

/** Returns the start of a process in seconds since 1970, from what `ps -o state= -o lstart=` prints in UTC. */
export function parsePs(text: string): string | null {
  const match = /^(\S+)\s+(\S.*\S)\s*$/.exec(text);
  if (match === null) return null;
  const [, state = "", lstart = ""] = match;
  if (state.startsWith("Z")) return ended;
  const milliseconds = Date.parse(`${lstart} UTC`);
  return Number.isNaN(milliseconds) ? null : String(milliseconds / 1000);
}

const linux: ProcessFacts = {
  readStart: async (pid) => {
    const text = await ask(readFile(`/proc/${pid}/stat`, "utf8"));
    return text === null ? null : parseProcStat(text);
  },
  readBoot: () => ask(readFile("/proc/sys/kernel/random/boot_id", "utf8")),
  readMachine: async () => hashed(await ask(readFile("/etc/machine-id", "utf8"))),
  readPidNamespace: () => ask(readlink("/proc/self/ns/pid")),
};

const darwin: ProcessFacts = {
  readStart: async (pid) => {
    const text = await ask(run("/bin/ps", ["-o", "state=", "-o", "lstart=", "-p", String(pid)]));
    return text === null ? null : parsePs(text);
  },
  readBoot: () => ask(run("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"])),
  readMachine: async () => {
    const text = await ask(run("/usr/sbin/ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"]));
    return hashed(/"IOPlatformUUID" = "([^"]+)"/.exec(text ?? "")?.[1] ?? null);
  },
  readPidNamespace: async () => null,
};

const silent: ProcessFacts = {
  readStart: async () => null,
  readBoot: async () => null,
  readMachine: async () => null,
  readPidNamespace: async () => null,
};

/** Returns what this kind of system can tell. */
export function processFacts(platform: NodeJS.Platform = process.platform): ProcessFacts {
  if (platform === "linux") return linux;
  return platform === "darwin" ? darwin : silent;
}

/** Runs a program of the system with a fixed language and time zone, so that its answer is always the same. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const { execFile } = process.getBuiltinModule("node:child_process");
  const { stdout } = await promisify(execFile)(program, [...args], { env: { LC_ALL: "C", TZ: "UTC" } });
  return stdout;
}

async function ask(answer: Promise<string>): Promise<string | null> {
  try {
    return (await answer).trim() || null;
  } catch {
    // Absent, hidden or forbidden: whatever the cause, the system does not tell.
    return null;
  }
}

function hashed(id: string | null): string | null {
  return id === null ? null : createHash("sha256").update(`carryon machine ${id}`).digest("hex").slice(0, 16);
}

/** Returns the living processes of a group. Where the system does not list them, the group stands for all of them. */
export async function listGroup(
  group: number,
  platform: NodeJS.Platform = process.platform,
): Promise<readonly number[]> {
  if (platform === "win32" || !isListed(-group)) return [];
  if (platform !== "linux") return [group];
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = await unlessGone(readFile(`/proc/${name}/stat`, "utf8")).catch(() => undefined);
    if (text !== undefined && groupOf(text) === group) found.push(Number(name));
  }
  return found;
}

/** A process that has ended may stay listed for as long as nobody asks for its end. */
function groupOf(stat: string): number | undefined {
  const [state, , group] = fieldsOfStat(stat);
  return state === "Z" || state === "X" ? undefined : Number(group);
}
