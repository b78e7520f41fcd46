import { appendSubject, bareSubject } from "./append.ts";
import type { Bench, Outcome, Point, Series } from "./figure.ts";
import { type InstalledPeer, installLangGraph } from "./install-langgraph.ts";
import { JsonlFile } from "./jsonl-file.ts";
import { LangGraph } from "./langgraph.ts";
import { compare, interleave, medianOf, type Subject, subject, type Times } from "./measure.ts";
import { WholeFile } from "./whole-file.ts";
import { makeMessage, makeMessages } from "./workload.ts";

/** Peers that write the whole session again are measured up to here, and this often. */
const longestRewrite = 10_000;
const rewriteSamples = 10;

const names = {
  carryon: "Carryon",
  bare: "bare SQLite insert",
  jsonl: "JSONL append + fsync",
  wholeFile: "whole-file JSON rewrite",
  langGraph: "LangGraph SqliteSaver",
} as const;

/** The cost of one append against the length of the session, for Carryon and its peers, in bare inserts. */
export async function peers(bench: Bench): Promise<Outcome> {
  const installed = tryInstall();
  const byLength = new Map<number, Times>();
  for (const length of bench.scale.lengths) {
    byLength.set(length, await measureAt(bench, length, installed.peer));
  }
  const series = Object.values(names).map((name) => toSeries(name, byLength));
  return {
    measurements: [],
    milliseconds: Object.fromEntries(
      [...byLength].flatMap(([length, times]) =>
        [...times.keys()].map((name) => [`${name} at ${length}`, medianOf(times, name)]),
      ),
    ),
    series: series.map((each) => explainMissing(each, installed.reason)),
    notes: installed.reason === undefined ? [] : [`${names.langGraph} was not measured: ${installed.reason}`],
  };
}

function tryInstall(): { readonly peer?: InstalledPeer; readonly reason?: string } {
  try {
    return { peer: installLangGraph() };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

async function measureAt(bench: Bench, length: number, peer: InstalledPeer | undefined): Promise<Times> {
  const { fixtures, scale, folder } = bench;
  const filled = length === scale.long ? await fixtures.longStore() : await fixtures.store(length);
  const jsonl = fixtures.keep(new JsonlFile(fixtures.newPath("jsonl"), makeMessages(length)));
  const subjects = [
    appendSubject(names.carryon, filled, length),
    bareSubject(names.bare, fixtures.bare(length)),
    subject({ name: names.jsonl, prepare: makeMessage, work: (message) => jsonl.append(message) }),
  ];
  if (length <= longestRewrite) {
    const whole = new WholeFile(fixtures.newPath("whole.json"), makeMessages(length));
    subjects.push(rewriteSubject(names.wholeFile, (message) => whole.append(message)));
    if (peer !== undefined) subjects.push(await langGraphSubject(peer, folder, bench, length));
  }
  return interleave(subjects, scale.rounds / 8);
}

async function langGraphSubject(
  peer: InstalledPeer,
  folder: string,
  { fixtures }: Bench,
  length: number,
): Promise<Subject<unknown>> {
  const langGraph = fixtures.keep(new LangGraph(peer, folder));
  await langGraph.open(length, makeMessages(length));
  return rewriteSubject(names.langGraph, (message) => langGraph.append(length, message));
}

function rewriteSubject(
  name: string,
  work: Subject<ReturnType<typeof makeMessage>>["work"],
): Subject<unknown> {
  return subject({ name, samples: rewriteSamples, prepare: makeMessage, work });
}

function toSeries(name: string, byLength: ReadonlyMap<number, Times>): Series {
  const points = [...byLength].flatMap(([length, times]): readonly Point[] => {
    if (!times.has(name)) return [];
    const { ratio, n } = compare(times, name, names.bare);
    return [{ length, ratio, n }];
  });
  return { name, points };
}

function explainMissing(series: Series, reason: string | undefined): Series {
  return series.points.length === 0 && reason !== undefined ? { ...series, missing: reason } : series;
}
