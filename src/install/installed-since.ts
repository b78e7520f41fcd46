import { dirname } from "node:path";
import { readInstalls } from "./install-record.ts";

/** Returns since when sessions in a project are recorded: hooks are in it, or in all of them; undefined where they are not. */
export async function installedSince(home: string, root: string): Promise<Date | undefined> {
  const installs = await readInstalls(home);
  const times = installs
    .filter(({ scope, settings }) => scope === "user" || dirname(dirname(settings)) === root)
    .flatMap(({ at }) => (at === null ? [] : [Date.parse(at)]));
  return times.length === 0 ? undefined : new Date(Math.min(...times));
}
