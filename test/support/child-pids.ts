import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** Returns the processes that a process has started and that still run. */
export async function findChildPids(parent: number): Promise<readonly number[]> {
  const pairs = process.platform === "linux" ? await readProc() : await readPs();
  return pairs.flatMap(([pid, parentOf]) => (parentOf === parent ? [pid] : []));
}

type PidAndParent = readonly [pid: number, parent: number];

async function readProc(): Promise<readonly PidAndParent[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  return Promise.all(
    pids.map(async (pid) => {
      // One that has ended since is nobody's child.
      const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
      // The name of the program stands in brackets and may itself hold brackets and spaces.
      const [, parent = "0"] = text.slice(text.lastIndexOf(")") + 2).split(" ");
      return [Number(pid), Number(parent)] as const;
    }),
  );
}

async function readPs(): Promise<readonly PidAndParent[]> {
  const { stdout } = await promisify(execFile)("/bin/ps", ["-A", "-o", "pid=", "-o", "ppid="]);
  return stdout.split("\n").map((line) => {
    const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    return [pid, parent] as const;
  });
}
