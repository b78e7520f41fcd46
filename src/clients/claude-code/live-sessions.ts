import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessGone } from "../../lib/app-error.ts";
import { parseIfJson } from "../../lib/json.ts";
import { isAlive, type Liveness, readOwnIdentity } from "../../lib/process-identity.ts";
import type { ListedProcess } from "../client.ts";
import { isJsonObject, textOf } from "./wire.ts";

/** Which sessions a process of the client is said to be in; undefined where the client keeps no such list. */
export type LiveSessions = ReadonlyMap<string, Liveness> | undefined;

/** Tells of each session in the client's own lists, one for each of its folders, whether its process is there. */
export async function readLiveSessions(clients: readonly string[]): Promise<LiveSessions> {
  const processes = await listProcesses(clients);
  if (processes === undefined) return undefined;
  const live = new Map<string, Liveness>();
  for (const { session, liveness } of processes) {
    // A process that was killed may have left its name beside that of the one that goes on.
    if (live.get(session) !== "alive") live.set(session, liveness);
  }
  return live;
}

/** Lists the processes in the client's own lists, one for each of its folders; undefined where it keeps none. */
export async function listProcesses(
  clients: readonly string[],
): Promise<readonly ListedProcess[] | undefined> {
  const lists = await Promise.all(clients.map(readProcesses));
  return lists.every((list) => list === undefined) ? undefined : lists.flatMap((list) => list ?? []);
}

/**
 * Reads the client's own list of its processes, and looks whether they are there; undefined where it keeps none.
 *
 * A process takes itself off the list when it ends; one that is killed cannot.
 */
async function readProcesses(client: string): Promise<readonly ListedProcess[] | undefined> {
  const folder = join(client, "sessions");
  const names = await unlessGone(readdir(folder));
  if (names === undefined) return undefined;
  const found: ListedProcess[] = [];
  for (const name of names.filter((each) => /^\d+\.json$/.test(each))) {
    const text = await unlessGone(readFile(join(folder, name), "utf8"));
    const listed = text === undefined ? undefined : await look(text);
    if (listed !== undefined) found.push(listed);
  }
  return found;
}

async function look(text: string): Promise<ListedProcess | undefined> {
  // One that is being written is no list yet.
  const listed = parseIfJson(text);
  if (!isJsonObject(listed) || typeof listed.pid !== "number") return undefined;
  const session = textOf(listed, "sessionId");
  if (session === undefined) return undefined;
  const own = await readOwnIdentity();
  const domain = textOf(listed, "pidDomain");
  if (domain !== undefined && own.pidNamespace !== null && !domain.endsWith(own.pidNamespace))
    return { session, pid: listed.pid, liveness: "unknown" };
  const start = textOf(listed, "procStart") ?? null;
  // Only on Linux does the client count the start of a process as we do.
  const started = process.platform === "linux" ? start : null;
  return { session, pid: listed.pid, liveness: await isAlive({ ...own, pid: listed.pid, started }) };
}
