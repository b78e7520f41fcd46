import { setTimeout as sleep } from "node:timers/promises";
import type { Entry } from "../../src/conversation/entry.ts";
import { openProject, type Surroundings } from "../../src/project/open-project.ts";
import { type ReplayDifference, replayRecord } from "../../src/run/replay/replay-record.ts";
import { workTools } from "../../src/tools/open-toolbox.ts";
import { startChild } from "./child.ts";
import { builtFiles, readFiles } from "./run-world.ts";
import { repoIn } from "./save-repo.ts";
import { tempDir } from "./temp-dir.ts";

/** The longest that a process may take to begin before it is killed. */
const beginningMs = 600;

/** Lets a run go on for some events, or just begin, kills it, and returns how it ended, or that it was killed. */
async function goOn(args: readonly string[], events: number): Promise<string> {
  await using child = startChild("run-child.ts", ...args);
  let last: string | undefined;
  for (let seen = 0; seen < events; seen += 1) {
    last = await child.next();
    if (last === undefined || last.includes(" after ")) return last ?? "failed";
  }
  await sleep(Math.random() * (events === 0 ? beginningMs : 8));
  child.kill("SIGKILL");
  await child.ended();
  return "killed";
}

/** What the log has of a session that was killed again and again. */
async function readEntries(place: Surroundings): Promise<readonly Entry[]> {
  await using project = await openProject(place, "read");
  const { sessions } = await project.store.log.list({ client: "carryon-run" });
  const [session, ...others] = sessions;
  if (session === undefined || others.length > 0) throw new Error("There is not one run.");
  const { problem } = await project.store.log.verify(session.id);
  if (problem !== null) throw new Error(`The record is damaged: ${problem.reason}`);
  return await Array.fromAsync(project.store.log.read(session.id));
}

/** Returns the commands that were begun, and what came of each. */
function commandsIn(entries: readonly Entry[]) {
  const begun = entries.flatMap((entry) =>
    entry.kind === "event" && entry.event === "call-started" ? [`${entry.data.call}`] : [],
  );
  const ended = entries.flatMap((entry) =>
    entry.kind === "message" && entry.strand === "worker"
      ? entry.parts.flatMap((part) => (part.type === "tool-result" ? [part.call] : []))
      : [],
  );
  return { begun, ended: new Set(ended) };
}

/** What became of a run that was killed so many times, or until it was done. */
export interface KilledRun {
  readonly killed: number;
  /** The last line of the process that was not killed. */
  readonly ended: string;
  readonly files: Readonly<Record<string, string>>;
  readonly rounds: readonly number[];
  /** Calls that were begun and of which the log does not say what came of them, or that were begun twice. */
  readonly untold: readonly string[];
  /** Where a dry replay of it would go another way. */
  readonly difference: ReplayDifference | null | undefined;
}

/**
 * Kills a run of so many parts again and again, and resumes it each time, until it is done.
 *
 * `store` is the address of a store on PostgreSQL, or nothing for a file.
 */
export async function killRun(parts: number, kills: number, store = ""): Promise<KilledRun> {
  await using dir = await tempDir();
  const [home, folder] = [dir.join("home"), await repoIn(dir.join("work"))];
  const args = [home, store, folder, `${parts}`];
  let ended = await goOn([...args, "start"], 2);
  let killed = 1;
  for (; ended === "killed"; killed += 1) {
    const events = killed < kills ? Math.floor(Math.random() * 7) : Infinity;
    ended = await goOn([...args, "resume"], events);
  }
  const entries = await readEntries({ home, store, cwd: folder });
  const { begun, ended: answered } = commandsIn(entries);
  return {
    killed: killed - 1,
    ended,
    files: await readFiles(folder),
    rounds: entries.flatMap((entry) => (entry.kind === "round" ? [entry.number] : [])),
    untold: begun.filter((call, index) => !answered.has(call) || begun.indexOf(call) !== index),
    difference: (await replayRecord(entries, { tools: workTools }))?.difference,
  };
}

/** Returns what a run of so many parts comes to that nobody kills. */
export function unkilled(parts: number): Omit<KilledRun, "killed"> {
  const rounds = Array.from({ length: parts }, (_, index) => index + 1);
  return { ended: `done after ${parts}`, files: builtFiles(parts), rounds, untold: [], difference: null };
}
