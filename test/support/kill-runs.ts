import { basename } from "node:path";
import { type ReplayDifference, replayRecord } from "../../src/run/replay-dry.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import { workTools } from "../../src/tools/open-toolbox.ts";
import { openProject, type Surroundings } from "../../src/workspace/open-project.ts";
import { countEvents, dieAt, type EventCounts, grace, KillMoments, startCounting } from "./kill-moments.ts";
import { builtFiles, readFiles } from "./run-world.ts";
import { repoIn } from "./save-repo.ts";
import { type TempDir, tempDir } from "./temp-dir.ts";

/** How a process of a run ended, or that it was killed, and whether it had begun to work. */
interface Lived {
  readonly ended: string;
  readonly worked: boolean;
}

/** Lets a process begin a run or go on with it, until it dies or the run is done. */
async function goOn(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Lived> {
  await using child = startCounting("run-child.ts", args, env);
  const lines: string[] = [];
  for (let line = await child.next(); line !== undefined; line = await child.next()) lines.push(line);
  const how = await child.ended();
  const worked = lines.includes("open");
  return { ended: how === "SIGKILL" ? "killed" : (lines.at(-1) ?? `failed with ${how}`), worked };
}

/** What the log has of a session that was killed again and again. */
async function readEntries(place: Surroundings): Promise<readonly Entry[]> {
  await using here = await openProject(place, "read");
  const { project, store } = here;
  if (project === undefined) throw new Error("Nothing was recorded.");
  const { sessions } = await store.log.list({ client: "carryon-run", project: project.id });
  const [session, ...others] = sessions.filter(({ cwd }) => basename(cwd) === basename(place.cwd));
  if (session === undefined || others.length > 0) throw new Error("There is not one run.");
  const { problem } = await store.log.verify(session.id);
  if (problem !== null) throw new Error(`The record is damaged: ${problem.reason}`);
  return await Array.fromAsync(store.log.read(session.id));
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

/** What became of a run that was killed so many times. */
export interface KilledRun {
  readonly killed: number;
  /** How many of the processes had begun to work. */
  readonly worked: number;
  readonly seed: number;
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
 * Kills a run of so many parts so many times, and resumes it each time; then lets it come to its end.
 *
 * One kill in four comes while the process begins, the others while the run goes on: together they let it have fewer events
 * than a run has, so that each of them meets one that is not done. `store` is the address of a store on PostgreSQL, or
 * nothing for a file; without a seed the moments are others each time.
 */
export async function killRun(parts: number, kills: number, store = "", seed?: number): Promise<KilledRun> {
  await using dir = await tempDir();
  const [home, folder] = [dir.join("home"), await repoIn(dir.join("work"))];
  const args = [home, store, folder, `${parts}`];
  const counts = await countRun(dir, args);
  const moments = new KillMoments(seed);
  const most = Math.floor(counts.work / kills) - grace;
  let [killed, worked, isBegun] = [0, 0, false];
  for (let kill = 0; kill < kills; kill += 1) {
    // One that finds a store has a third of the events in its start of one that makes it.
    const moment = kill % 4 === 3 ? moments.draw("start", counts.start / 3) : moments.draw("work", most);
    const lived = await goOn([...args, isBegun ? "resume" : "start"], dieAt(moment));
    if (lived.ended === "killed") killed += 1;
    if (lived.worked) worked += 1;
    isBegun ||= lived.worked;
  }
  const { ended } = await goOn([...args, "resume"]);
  const entries = await readEntries({ home, store, cwd: folder });
  const { begun, ended: answered } = commandsIn(entries);
  return {
    ...{ killed, worked, seed: moments.seed, ended },
    files: await readFiles(folder),
    rounds: entries.flatMap((entry) => (entry.kind === "round" ? [entry.number] : [])),
    untold: begun.filter((call, index) => !answered.has(call) || begun.indexOf(call) !== index),
    difference: (await replayRecord(entries, { tools: workTools }))?.difference,
  };
}

/** Counts the events of a run that nobody kills, in another folder and home. */
async function countRun(dir: TempDir, [, store = "", , parts = ""]: readonly string[]): Promise<EventCounts> {
  const args = [dir.join("counted-home"), store, await repoIn(dir.join("counted")), parts, "start"];
  return await countEvents((env) => goOn(args, env));
}

/** Returns what a run of so many parts comes to that nobody kills. */
export function unkilled(parts: number): Omit<KilledRun, "killed" | "worked" | "seed"> {
  const rounds = Array.from({ length: parts }, (_, index) => index + 1);
  return { ended: `done after ${parts}`, files: builtFiles(parts), rounds, untold: [], difference: null };
}
