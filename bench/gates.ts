import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";
import type { Bench, Measurement, Outcome } from "./figure.ts";
import type { GateCost } from "./gate-verdict-child.ts";
import { askGates, fresh, known, locateGated, makeGated, makePass } from "./gated-folder.ts";
import { compare, interleave, median, medianOf, subject, type Times } from "./measure.ts";
import { inRepository } from "./work-folder.ts";

const parsing = "JSON.parse of the state file";
const limit = 2;

interface Case {
  readonly work: string;
  readonly session: string;
  /** What a process of its own does; undefined for the answer in this one. */
  readonly what?: string;
  readonly bar?: number;
}

/** What is measured for a session that the state knows, which has a pass, and for one of which it knows nothing. */
const cases: readonly Case[] = Object.entries({ known, new: fresh }).flatMap(([name, session]) => [
  { work: `gate verdict, ${name} session, fresh process`, session, what: "verdict", bar: limit },
  { work: `whole answer of gates, ${name} session, fresh process`, session, what: "answer" },
  { work: `whole answer of gates, ${name} session, warm`, session },
  ...(session === known
    ? [{ work: "allowed call by the pass, known session, fresh process", session, what: "pass", bar: limit }]
    : []),
]);

/**
 * What ten gates add to a call that they allow, when the state knows a thousand sessions.
 *
 * A hook answers such a call from its payload by the pass of the session, as long as nothing that the gates go by has
 * changed; the rest is the way without a pass.
 * A verdict reads the compiled configuration and the state, and judges; a whole answer finds the repository and asks
 * whether it is trusted before that.
 */
export async function gateCosts(bench: Bench): Promise<Outcome> {
  // As git names it: what is kept goes by that.
  const folder = join(realpathSync(bench.folder), "gates");
  const { state } = locateGated(folder);
  await makeGated(folder);
  const child = await bundleChild(folder);
  const loading: number[] = [];
  const runIn = (what: string, session: string) => {
    const cost = runChild([child, what, folder, session]);
    loading.push(cost.loading);
    return cost.work;
  };
  const subjects = cases.map(({ work: name, session, what }) =>
    subject({
      name,
      prepare: () => (what === "pass" ? makePass(folder, session) : undefined),
      work: () => (what === undefined ? askGates(folder, session) : runIn(what, session)),
    }),
  );
  const times = await interleave(
    [subject({ name: parsing, prepare: () => undefined, work: () => void parse(state) }), ...subjects],
    Math.max(16, Math.round(bench.scale.rounds / 10)),
  );
  const names = [parsing, ...cases.map(({ work }) => work)];
  const load = median(loading);
  return {
    measurements: [
      ...cases.map(({ work }) => ({ work, limit: parsing, ...compare(times, work, parsing) })),
      ...cases.filter(({ bar }) => bar !== undefined).map(({ work }) => besideLimit(times, work)),
    ],
    milliseconds: {
      ...Object.fromEntries(names.map((name) => [name, medianOf(times, name)])),
      "loading what answers for gates, bundled": load,
    },
    notes: [
      `Gates: the limit of a verdict is ${limit} ms; to load the code takes ${load.toFixed(1)} ms more, but for the pass, which every hook has.`,
    ],
  };
}

function besideLimit(times: Times, work: string): Measurement {
  const ratio = medianOf(times, work) / limit;
  return { work, limit: `${limit} ms`, ratio, bar: 1, n: times.get(work)?.length ?? 0 };
}

function parse(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

async function bundleChild(folder: string): Promise<string> {
  await build({
    input: inRepository("bench", "gate-verdict-child.ts"),
    platform: "node",
    logLevel: "warn",
    output: { dir: join(folder, "child"), format: "esm", minify: true, entryFileNames: "child.mjs" },
  });
  return join(folder, "child", "child.mjs");
}

function runChild(args: readonly string[]): GateCost {
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}
