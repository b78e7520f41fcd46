import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseIfJson } from "../../lib/parse-if-json.ts";
import { isAlive, type Liveness, readOwnIdentity } from "../../lib/process-identity.ts";
import { unlessGone } from "../../lib/unless-gone.ts";
import { isJsonObject, textOf } from "./wire.ts";

/** Which sessions a process of the client is said to be in; undefined where the client keeps no such list. */
export type LiveSessions = ReadonlyMap<string, Liveness> | undefined;

/**
 * Reads the client's own list of its processes, and looks whether they are there.
 *
 * A process takes itself off the list when it ends; one that is killed cannot.
 */
export async function readLiveSessions(client: string): Promise<LiveSessions> {
  const folder = join(client, "sessions");
  const names = await unlessGone(readdir(folder));
  if (names === undefined) return undefined;
  const live = new Map<string, Liveness>();
  for (const name of names.filter((each) => /^\d+\.json$/.test(each))) {
    const text = await unlessGone(readFile(join(folder, name), "utf8"));
    const listed = text === undefined ? undefined : await look(text);
    // A process that was killed may have left its name beside that of the one that goes on.
    if (listed !== undefined && live.get(listed.session) !== "alive")
      live.set(listed.session, listed.liveness);
  }
  return live;
}

async function look(text: string): Promise<{ session: string; liveness: Liveness } | undefined> {
  // One that is being written is no list yet.
  const listed = parseIfJson(text);
  if (!isJsonObject(listed) || typeof listed.pid !== "number") return undefined;
  const session = textOf(listed, "sessionId");
  if (session === undefined) return undefined;
  const own = await readOwnIdentity();
  const domain = textOf(listed, "pidDomain");
  if (domain !== undefined && own.pidNamespace !== null && !domain.endsWith(own.pidNamespace))
    return { session, liveness: "unknown" };
  const start = textOf(listed, "procStart") ?? null;
  // Only on Linux does the client count the start of a process as we do.
  const started = process.platform === "linux" ? start : null;
  return { session, liveness: await isAlive({ ...own, pid: listed.pid, started }) };
}
