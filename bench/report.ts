import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import type { Measurement, Outcome, Series } from "./figure.ts";
import { renderPlot } from "./plot.ts";
import { inRepository } from "./work-folder.ts";

type Outcomes = ReadonlyMap<string, Outcome>;

/** What a figure found, and when: figures are measured apart, each when the machine is quiet. */
interface Result extends Outcome {
  readonly date: string;
  /** The load of the machine over five minutes; what the figure itself did is in it. */
  readonly load?: number;
  readonly versions: { readonly node: string; readonly sqlite: string };
}

interface Results {
  readonly about: string;
  readonly figures: Readonly<Record<string, Result>>;
}

/** Returns the tables that people read. */
export function renderTable(outcomes: Outcomes): string {
  const tables = [barTable(outcomes), peerTable(outcomes)].filter((rows) => rows.length > 1);
  return [...tables.map(alignColumns), ...describeLoad(), ...notes(outcomes)].join("\n\n");
}

/** Writes what was measured into bench/results.json, where other figures stay, and makes docs/cost.md and its plot of all. */
export function writeResults(outcomes: Outcomes, order: readonly string[]): void {
  const path = inRepository("bench", "results.json");
  const { about, figures } = JSON.parse(readFileSync(path, "utf8")) as Results;
  const known = {
    ...figures,
    ...Object.fromEntries([...outcomes].map(([name, each]) => [name, toResult(each)])),
  };
  const results = new Map(order.flatMap((name) => (known[name] === undefined ? [] : [[name, known[name]]])));
  writeFileSync(path, `${JSON.stringify({ about, figures: Object.fromEntries(results) }, null, 2)}\n`);
  writeFileSync(inRepository("docs", "cost.svg"), renderPlot(allSeries(results)));
  const page = inRepository("docs", "cost.md");
  writeFileSync(page, between(readFileSync(page, "utf8"), renderMarkdown(results)));
}

function toResult(outcome: Outcome): Result {
  const { node, sqlite = "" } = process.versions;
  const [, load = 0] = loadavg();
  return {
    date: new Date().toISOString().slice(0, 10),
    load: Number(load.toFixed(1)),
    versions: { node, sqlite },
    ...outcome,
  };
}

function measurements(outcomes: Outcomes): readonly Measurement[] {
  return [...outcomes.values()].flatMap((outcome) => outcome.measurements);
}

function notes(outcomes: Outcomes): readonly string[] {
  return [...outcomes.values()].flatMap((outcome) => outcome.notes ?? []);
}

/** Says when others were at work: a busy disk adds the same wait to both sides, and so a bar may seem to be met. */
function describeLoad(): readonly string[] {
  const [, load = 0] = loadavg();
  if (load <= availableParallelism() / 2 + 1) return [];
  const on = `load ${load.toFixed(1)} on ${availableParallelism()} cores`;
  return [
    `The machine was busy (${on}): waiting draws ratios of durable writes towards 1. Measure again on a quiet one.`,
  ];
}

type Table = readonly (readonly string[])[];

const barHead = ["work", "measured against", "ratio", "bar", "verdict"] as const;

function barTable(outcomes: Outcomes): Table {
  return [barHead, ...measurements(outcomes).map(toCells)];
}

function toCells({ work, limit, ratio, low, high, bar }: Measurement): readonly string[] {
  const spread = low === undefined || high === undefined ? "" : ` (${short(low)} to ${short(high)})`;
  return [work, limit, `${short(ratio)}${spread}`, bar === undefined ? "" : `≤ ${bar}`, describe(ratio, bar)];
}

/** One row for each contestant, one column for each length of the session. */
function peerTable(outcomes: Outcomes): Table {
  const series = allSeries(outcomes);
  const lengths = [...new Set(series.flatMap(({ points }) => points.map((point) => point.length)))];
  const rows = series.map(({ name, points }) => [
    name,
    ...lengths.map((length) => points.find((point) => point.length === length)?.ratio).map(shortOrNone),
  ]);
  return [["one append at message", ...lengths.map((length) => length.toLocaleString("en"))], ...rows];
}

function allSeries(outcomes: Outcomes): readonly Series[] {
  return [...outcomes.values()].flatMap((outcome) => outcome.series ?? []);
}

function alignColumns(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  const align = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0));
  return table.map((row) => align(row).join("  ").trimEnd()).join("\n");
}

function toMarkdown(table: Table): string {
  const [head = [], ...rows] = table.map((row) => `| ${row.join(" | ")} |`);
  return [head, `|${"---|".repeat(table[0]?.length ?? 0)}`, ...rows].join("\n");
}

function describe(ratio: number, bar: number | undefined): string {
  if (bar === undefined) return "";
  return ratio <= bar ? "met" : `missed by ${Math.ceil((ratio / bar - 1) * 100)} %`;
}

function shortOrNone(ratio: number | undefined): string {
  return ratio === undefined ? "not measured" : short(ratio);
}

/** Three digits that count. */
function short(ratio: number): string {
  return ratio >= 100 ? Math.round(ratio).toLocaleString("en") : ratio.toPrecision(3);
}

function renderMarkdown(results: ReadonlyMap<string, Result>): string {
  return [
    toMarkdown(datedTable(results)),
    "Cost of one append, in bare inserts, by the number of messages in the session:",
    toMarkdown(peerTable(results)),
    describeVersions([...results.values()]),
    ...notes(results),
  ].join("\n\n");
}

/** The table of bars, each row with the day of its figure and the load at that time. */
function datedTable(results: ReadonlyMap<string, Result>): Table {
  const rows = [...results.values()].flatMap(({ date, load, measurements }) => {
    const when = load === undefined ? date : `${date}, load ${load}`;
    return measurements.map((each) => [...toCells(each), when]);
  });
  return [[...barHead, "measured"], ...rows];
}

function describeVersions(results: readonly Result[]): string {
  const versions = new Set(
    results.map(({ versions: { node, sqlite } }) => `Node ${node} and SQLite ${sqlite}`),
  );
  return `Measured with ${[...versions].join(", ")}.`;
}

const markers = { begin: "<!-- bench:begin -->", end: "<!-- bench:end -->" };

function between(page: string, text: string): string {
  const [before, rest] = page.split(markers.begin);
  const after = rest?.split(markers.end)[1];
  if (before === undefined || after === undefined) throw new Error("docs/cost.md has lost its markers.");
  return `${before}${markers.begin}\n${text}\n${markers.end}${after}`;
}
