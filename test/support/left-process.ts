import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Waits until a file has a text, and returns it. */
export async function readWhenThere(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, "utf8").catch(() => "");
    if (text !== "") return text;
    await sleep(10);
  }
}

/** Waits until a process is gone; the test runs into its own time limit where it never is. */
export async function waitUntilGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    // One that has ended is listed until somebody asks for its end, which nobody may in a container.
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    if (/\) [ZX] /.test(stat)) return;
    await sleep(10);
  }
}

/** Leaves nothing running, although a test fails. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, as it should be.
  }
}
