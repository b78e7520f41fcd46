import { closeSync, openSync } from "node:fs";
import { isatty } from "node:tty";

/** Tells whether this process belongs to a terminal, whatever its streams are: one that was let go of has none. */
export function hasOwnTerminal(): boolean {
  if (process.platform === "win32") return isatty(0);
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    // There is none: ENXIO, or where the machine has no such file, ENOENT.
    return false;
  }
}
