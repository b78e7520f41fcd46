import { readdir, readFile } from "node:fs/promises";
import { unlessGone } from "./app-error.ts";
import { fieldsOfStat, isListed } from "./process-identity.ts";

/** Returns the living processes of a group. Where the system does not list them, the group stands for all of them. */
export async function listGroup(
  group: number,
  platform: NodeJS.Platform = process.platform,
): Promise<readonly number[]> {
  if (platform === "win32" || !isListed(-group)) return [];
  if (platform !== "linux") return [group];
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const text = await unlessGone(readFile(`/proc/${name}/stat`, "utf8")).catch(() => undefined);
    if (text !== undefined && groupOf(text) === group) found.push(Number(name));
  }
  return found;
}

/** A process that has ended may stay listed for as long as nobody asks for its end. */
function groupOf(stat: string): number | undefined {
  const [state, , group] = fieldsOfStat(stat);
  return state === "Z" || state === "X" ? undefined : Number(group);
}
