import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A shell in a group of its own, and the process that its script names on its first line. Killed with its scope. */
export async function openGroup(script: string) {
  const child = spawn("/bin/sh", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line");
  const { pid = 0 } = child;
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-pid, "SIGKILL");
    await once(child, "exit");
  };
  return { pid, inner: Number(line), kill, [Symbol.asyncDispose]: kill };
}

/** Two processes that wait to be killed. */
export const twoProcesses = "sleep 1000 & echo $!; wait";

/** A process that has ended, and whose end its parent never asks for: it waits until that is no shell any more. */
export const unasked =
  "(while ps -o args= -p $$ | grep -q 'sh -c'; do sleep 0.01; done) & echo $!; exec sleep 1000";

/** How long something that is bound to happen may take on a busy machine. */
export const patience = { timeout: 60_000 };
