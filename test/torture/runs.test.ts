/** TORTURE_RUNS (500) says how many times runs are killed. */
import { expect, it } from "vitest";
import { killRun, unkilled } from "../support/kill-runs.ts";
import { report } from "../support/report.ts";

const kills = Number(process.env.TORTURE_RUNS ?? 500);
const [parts, mostInOne] = [12, 40];

it(`finishes all runs in ${kills} kills as if there had been none`, async () => {
  let [killed, runs] = [0, 0];
  while (killed < kills) {
    const { killed: times, ...run } = await killRun(parts, Math.min(mostInOne, kills - killed + 1));
    expect(run).toEqual(unkilled(parts));
    killed += times;
    runs += 1;
  }
  report("Kills of runs", { kills: killed, runs });
});
