import { createHash } from "node:crypto";
import { readFile, readlink } from "node:fs/promises";
import { promisify } from "node:util";

/** What a system tells about processes. Each answer is null where it does not tell. */
export interface ProcessFacts {
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
