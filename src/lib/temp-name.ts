import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import { type ProcessIdentity, readOwnIdentity } from "./process-identity.ts";
import { type RandomSource, systemRandom } from "./uuid-v7.ts";

/** What the name of a temporary file tells about the process that made it. */
export interface TempOwner {
  /** Hash of the machine, the boot and the pid namespace. */
  readonly place: string;
  readonly pid: number;
  readonly started: string | null;
}

/** A database in the making has side files, and git's index a lock, which are as much a stray as itself. */
const pattern =
  /^\..*\.([0-9a-f]{12})-(\d{1,15})-(\d{1,20})-[0-9a-f]{16}\.carryon-tmp(?:-wal|-shm|-journal|\.lock)?$/s;

/**
 * Returns a name for a temporary file that is to become `base`: `.<base>.<place>-<pid>-<started>-<random>.carryon-tmp`.
 *
 * A long base is cut, so that the name fits wherever the base does.
 */
export function makeTempName(base: string, owner: ProcessIdentity, random: RandomSource): string {
  const start = Buffer.from(base).subarray(0, 120).toString();
  const suffix = Buffer.from(random(8)).toString("hex");
  return `.${start}.${placeOf(owner)}-${owner.pid}-${owner.started ?? 0}-${suffix}.carryon-tmp`;
}

/** Returns who made a temporary file, or undefined if the name is not one of ours. */
export function parseTempName(name: string): TempOwner | undefined {
  const match = pattern.exec(name);
  if (match === null) return undefined;
  const [, place = "", pid = "", started = ""] = match;
  return { place, pid: Number(pid), started: started === "0" ? null : started };
}

/** Returns the short name of where a process runs: equal for all that can see each other. */
export function placeOf({ host, machine, boot, pidNamespace }: ProcessIdentity): string {
  const place = JSON.stringify([host, machine, boot, pidNamespace]);
  return createHash("sha256").update(place).digest("hex").slice(0, 12);
}

/** Returns a path beside another for a file in the making; `sweepStrays` removes it when its maker is gone. */
export async function makeTempPath(path: string): Promise<string> {
  return join(dirname(path), makeTempName(basename(path), await readOwnIdentity(), systemRandom));
}
