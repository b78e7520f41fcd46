import type { GitPath } from "./git-path.ts";

/** Tells whether a file is a lock of ours, or one in the making: nobody's work, and gone or empty the next moment. */
export function isOwnFile(path: GitPath): boolean {
  return /(?:^|\/)\.[^/]+\.carryon-(?:lock|tmp)(?:-wal|-shm|-journal)?$/.test(path);
}
