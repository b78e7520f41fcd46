import { basename, dirname, join } from "node:path";
import { type AtomicWriteOptions, makeTempName } from "../../src/lib/atomic-file.ts";

/** A process of another machine and a random source without chance: they make the temporary name known beforehand. */
export const fixedOwner = {
  owner: { pid: 4711, started: "42", boot: "boot", host: "host", machine: "machine", pidNamespace: null },
  random: (size: number) => new Uint8Array(size).fill(7),
} satisfies AtomicWriteOptions;

/** Returns the temporary path that a write of `path` takes with `fixedOwner`. */
export function fixedTempPath(path: string): string {
  return join(dirname(path), makeTempName(basename(path), fixedOwner.owner, fixedOwner.random));
}
