import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { isSystemError } from "./app-error.ts";

/** How long processes may take to end when asked to, and how often it is looked whether they have. */
const [patienceMs, lookAgainMs] = [2000, 20];

/** Kills each of the groups that are being ended. */
const endings = new Set<() => void>();

/** Kills all groups that have been asked to end, without more patience, and returns how many there were. */
export function killEndings(): number {
  for (const kill of endings) kill();
  return endings.size;
}

/** Ends a process that is the first of a group of its own, and all others of the group: asks first, then kills. */
export async function endGroup(child: Pick<ChildProcess, "pid" | "kill">): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  // There are no groups on Windows.
  const send = (signal: NodeJS.Signals | 0) =>
    process.platform === "win32" ? child.kill(signal) : sendToGroup(pid, signal);
  if (!send("SIGTERM")) return;
  const kill = () => void send("SIGKILL");
  endings.add(kill);
  try {
    for (let waited = 0; waited < patienceMs; waited += lookAgainMs) {
      await sleep(lookAgainMs);
      if (!send(0)) return;
    }
    kill();
  } finally {
    endings.delete(kill);
  }
}

/** Sends a signal to a group; returns whether there is still one. */
function sendToGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (error) {
    // What is left of a group may be processes that have ended, of which macOS says that they may not be reached.
    if (isSystemError(error, "ESRCH", "EPERM")) return false;
    throw error;
  }
}
