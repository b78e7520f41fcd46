import { hostname } from "node:os";
import { isSystemError } from "./app-error.ts";
import { type ProcessFacts, processFacts } from "./process-facts.ts";

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
export function isListed(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (isSystemError(error, "ESRCH")) return false;
    if (isSystemError(error, "EPERM")) return true;
    throw error;
  }
}
