import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Bench, Measurement, Outcome } from "./figure.ts";
import { beginAnew, doWork, git, type ManyFiles, makeClones, plainEnv } from "./many-files.ts";
import { compare, interleave, medianOf, type Subject, subject, type Times } from "./measure.ts";
import { inRepository } from "./work-folder.ts";

/** Git, too, syncs what it writes: otherwise it would be done before anything is on disk. */
const durably = ["-c", "core.fsync=all"];
const commit = "git add -A && git commit, both with core.fsync=all";
const status = "git status";
const [changed, added] = [20, 5];
/** A save of everything takes as long as twenty of a few files. */
const wholeRounds = 2;

/**
 * The whole commands save and load in a repository of many files, beside what git does in another one of the same files.
 *
 * They run from the source, as after `npm ci` in a fresh clone; an installed package starts faster.
 */
export async function workState(bench: Bench): Promise<Outcome> {
  const folder = join(bench.folder, "work-state");
  const { files } = bench.scale;
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const [ours, theirs] = makeClones(folder, files, ["ours", "theirs"]);
  if (ours === undefined || theirs === undefined) throw new Error("There are no clones.");
  const carryon = (command: string) => runCarryon(ours, home, command);
  const rounds = Math.max(8, Math.round(bench.scale.rounds / 130));
  try {
    // The first two runs make the store, and what Node keeps of compiled code.
    for (const command of ["save", "save", "load"]) carryon(command);
    const few = await interleave(
      [
        working("save", ours, () => carryon("save")),
        working(commit, theirs, () => commitAll(theirs)),
        subject({ name: "load", prepare: () => undefined, work: () => carryon("load") }),
        subject({ name: status, prepare: () => undefined, work: () => git(theirs.root, ["status"]) }),
      ],
      rounds,
    );
    const whole = await measureWhole(
      fresh("save", ours, () => carryon("save")),
      fresh(commit, theirs, () => commitAll(theirs)),
    );
    const among = `${files.toLocaleString("en")} files`;
    return {
      measurements: [
        beside(`save of ${changed} changed and ${added} new among ${among}`, few, "save", commit, 2),
        beside(`save of ${among} that are new`, whole, "save", commit, 2),
        beside(`load among ${among}`, few, "load", status),
      ],
      milliseconds: {
        "save, a few files": medianOf(few, "save"),
        [`${commit}, a few files`]: medianOf(few, commit),
        [`save, ${among} that are new`]: medianOf(whole, "save"),
        [`${commit}, ${among} that are new`]: medianOf(whole, commit),
        load: medianOf(few, "load"),
        [status]: medianOf(few, status),
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function beside(work: string, times: Times, name: string, limit: string, bar?: number): Measurement {
  return { work, limit, ...compare(times, name, limit), ...(bar !== undefined && { bar }) };
}

function working(name: string, files: ManyFiles, work: () => void): Subject<unknown> {
  let round = 0;
  const prepare = () => {
    round += 1;
    doWork(files, { round, changed, added });
  };
  return subject({ name, prepare, work });
}

function fresh(name: string, files: ManyFiles, work: () => void): Subject<unknown> {
  return subject({ name, prepare: () => beginAnew(files), work });
}

/** Like `interleave`, without a round for warming up: that would take longer than all the rest. */
async function measureWhole(one: Subject<unknown>, other: Subject<unknown>): Promise<Times> {
  const times = new Map<string, number[]>();
  for (let round = 0; round < wholeRounds; round += 1) {
    for (const { name, prepare, work } of round % 2 === 0 ? [one, other] : [other, one]) {
      await prepare();
      const start = performance.now();
      work(undefined);
      times.set(name, [...(times.get(name) ?? []), performance.now() - start]);
    }
  }
  return times;
}

function commitAll({ root }: ManyFiles): void {
  git(root, [...durably, "add", "-A"]);
  git(root, [...durably, "commit", "-qm", "x"]);
}

/** Runs a command as its users do. */
function runCarryon({ root }: ManyFiles, home: string, command: string): void {
  const env = { ...plainEnv, HOME: home, CARRYON_HOME: join(home, ".carryon") };
  const args = [inRepository("bin", "carryon.cjs"), command];
  const { status: code, stderr } = spawnSync(process.execPath, args, { cwd: root, env });
  if (code !== 0) throw new Error(`carryon ${command} ended with ${code}: ${stderr}`);
}
