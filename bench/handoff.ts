import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Bench, Measurement, Outcome } from "./figure.ts";
import type { CaseSet, Moment } from "./handoff/case.ts";
import { dev } from "./handoff/dev/set.ts";
import { fourth } from "./handoff/fourth/set.ts";
import { carryonBrief, type OpenCase, openCases, type Scored, scoreAll } from "./handoff/score.ts";
import { second } from "./handoff/second/set.ts";
import { mean, renderMissed, renderScores } from "./handoff/table.ts";
import { third } from "./handoff/third/set.ts";
import { makeWorkFolder } from "./work-folder.ts";

const sets: readonly CaseSet[] = [dev, second, third, fourth];
const moments: readonly Moment[] = ["end", "cut"];

/** One table: a set of sessions, all handed over at the same moment. */
interface Table {
  readonly set: string;
  readonly at: Moment;
  readonly cases: readonly OpenCase[];
  readonly scored: readonly Scored[];
}

const limit = "tail of talk";

/** How much of what the next session needs the brief leaves out, beside the end of the talk cut to the same size. */
export async function handoff(bench: Bench): Promise<Outcome> {
  const measurements: Measurement[] = [];
  for (const table of measure(sets, bench.scale.handoffs, join(bench.folder, "handoff"))) {
    console.log(`${render(table)}\n`);
    measurements.push(compare(table));
  }
  return { measurements, milliseconds: {} };
}

function* measure(chosen: readonly CaseSet[], most: number, folder: string): Generator<Table> {
  for (const set of chosen) {
    for (const at of moments) {
      const cases = openCases(set, at).slice(0, most);
      if (cases.length === 0) continue;
      yield { set: set.name, at, cases, scored: scoreAll(cases, join(folder, set.name)) };
    }
  }
}

function render({ set, at, cases, scored }: Table): string {
  return renderScores(set, at, cases, scored);
}

/** The budget that results are written down for. */
const usual = 1000;

function compare({ set, at, scored }: Table): Measurement {
  const missed = (system: string) => {
    const scores = scored.find((each) => each.system === system)?.scores ?? [];
    return 1 - mean(scores.map(({ recall }) => recall.get(usual) ?? 0));
  };
  return {
    work: `what a brief of ${usual.toLocaleString("en")} tokens leaves out (${set}, ${at})`,
    limit: "what the end of the talk leaves out",
    ratio: missed(carryonBrief) / missed(limit),
    n: scored[0]?.scores.length ?? 0,
  };
}

export const handoffUsage = `Usage: npm run bench handoff -- [--set NAME]... [--missed] [--dump FOLDER]
--set NAME     score this set only: ${sets.map(({ name }) => name).join(", ")}
--missed       list the facts that the brief leaves out, and the false claims that it makes
--dump FOLDER  write the texts that were scored into this folder
With an option nothing is written down.`;

/** Scores with options, to look at while a digest is written. */
export function tryHandoff(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: {
      set: { type: "string", multiple: true },
      missed: { type: "boolean", default: false },
      dump: { type: "string" },
    },
  });
  const chosen = values.set === undefined ? sets : sets.filter(({ name }) => values.set?.includes(name));
  if (chosen.length < (values.set?.length ?? 0)) {
    console.error(handoffUsage);
    process.exitCode = 2;
    return;
  }
  using folder = makeWorkFolder();
  for (const table of measure(chosen, Number.POSITIVE_INFINITY, folder.path)) {
    console.log(`${render(table)}\n`);
    if (values.missed) printMissed(table);
    if (values.dump !== undefined) dump(table, values.dump);
  }
}

function printMissed({ scored }: Table): void {
  for (const each of scored.filter(({ system }) => system === carryonBrief)) {
    console.log(`${renderMissed(each)}\n`);
  }
}

/** Writes each text as FOLDER/SYSTEM/SESSION-MOMENT-BUDGET.txt. */
function dump({ scored }: Table, folder: string): void {
  for (const { system, texts } of scored) {
    const place = join(folder, system.replaceAll(/\W+/g, "-"));
    mkdirSync(place, { recursive: true });
    for (const [{ case: given }, byBudget] of texts) {
      for (const [budget, text] of byBudget) {
        writeFileSync(join(place, `${given.session}-${given.at}-${budget}.txt`), text);
      }
    }
  }
}
