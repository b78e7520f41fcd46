import { readdir, readFile } from "node:fs/promises";
import { readGateState } from "../../../src/gates/read-gate-state.ts";
import { registerSession } from "../../../src/gates/registry.ts";
import { changeGateState } from "../../../src/gates/state/change-gate-state.ts";
import { collectAcknowledged } from "../acknowledged.ts";
import { gatePlace, satisfy } from "../gate-states.ts";
import { tempDir } from "../temp-dir.ts";

/** How many processes change one file 20 times each, and how many more do so until they are killed. */
export interface Storm {
  readonly living: number;
  readonly killed: number;
}

/** What is there after a storm, and one more change. */
export interface Aftermath {
  /** What those that lived have acknowledged. */
  readonly acknowledged: number;
  readonly lost: readonly string[];
  /** Changes that nobody reported: each of those that were killed may have made one. */
  readonly unreported: number;
  readonly files: readonly string[];
}

const times = 20;

/** Lets processes satisfy a gate for sessions of their own, all in one state file. */
export async function stormState(storm: Storm): Promise<Aftermath> {
  await using dir = await tempDir();
  const place = gatePlace(dir);
  const args = (index: number) => [place.folder, "main", `p${index}`, String(times)];
  const done = await rage("gate-state-child.ts", storm, args);
  await changeGateState(place, "main", () => [satisfy("plan", "last")]);
  const stored = readGateState(place, "main").state.sessions("plan");
  return compare(storm, done, stored, await readdir(place.folder));
}

/** Lets processes register sessions of their own, all in one registry. */
export async function stormRegistry(storm: Storm): Promise<Aftermath> {
  await using dir = await tempDir();
  const path = dir.join("home", "sessions.json");
  const args = (index: number) => [path, String(process.pid), `p${index}`, String(times)];
  const done = await rage("registry-child.ts", storm, args);
  const facts = { pid: 1, ppid: process.pid, projectDir: "/project", branch: null };
  await registerSession({ path, clock: { now: () => new Date() } }, { id: "last", ...facts });
  const stored = Object.keys(JSON.parse(await readFile(path, "utf8")).sessions);
  return compare(storm, done, stored, await readdir(dir.join("home")));
}

function rage(script: string, { living, killed }: Storm, args: (index: number) => readonly string[]) {
  const killAfter = (index: number) =>
    index < living ? undefined : 1 + Math.floor(Math.random() * (times - 1));
  return collectAcknowledged(living + killed, script, args, killAfter);
}

function compare(
  { living }: Storm,
  done: readonly string[],
  stored: readonly string[],
  files: readonly string[],
): Aftermath {
  const there = new Set(stored);
  const isOfLiving = (session: string) => Number(/^p(\d+)-/.exec(session)?.[1]) < living;
  return {
    acknowledged: done.filter(isOfLiving).length,
    lost: done.filter((session) => !there.has(session)),
    unreported: there.size - done.length - 1,
    files,
  };
}
