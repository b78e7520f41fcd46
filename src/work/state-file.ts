import { join } from "node:path";
import type { GitPath } from "../git/git-path.ts";

/** The path of the state from the top of a project. */
export const stateFile = ".claude/session-state.json" as GitPath;

/** What git is told to leave out: the state, and one that was moved aside. */
export const statePatterns: readonly string[] = [
  "/.claude/session-state.json",
  "/.claude/session-state.broken-*.json",
];

/** Returns where the state of a project is. */
export function locateState(root: string): string {
  return join(root, ".claude", "session-state.json");
}
