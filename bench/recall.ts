import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readDigestLines } from "../src/memory/digest-lines.ts";
import type { SessionId } from "../src/sessions/ids.ts";
import { openStore, type Store } from "../src/storage/open-store.ts";
import { startMcp } from "../test/support/open-mcp.ts";
import type { Bench, Measurement, Outcome } from "./figure.ts";
import type { CaseSet, Fact, Source } from "./handoff/case.ts";
import { dev } from "./handoff/dev/set.ts";
import { fits, normalise } from "./handoff/judge.ts";
import { second } from "./handoff/second/set.ts";
import { readLines, readTexts } from "./handoff/transcript.ts";
import { measureIndexing } from "./index-cpu.ts";
import { measureLocomo } from "./locomo.ts";
import { inRepository } from "./work-folder.ts";

const sets: readonly CaseSet[] = [dev, second];
/** An answer is looked for among so many hits. */
const most = 5;

/** Whether what a question asks for is among the first hits of a search for the question, beside plain FTS5. */
export async function recall(bench: Bench): Promise<Outcome> {
  const measurements: Measurement[] = [];
  for (const set of sets) {
    const { questions, found } = await scoreSet(set, join(bench.folder, "recall", set.name));
    for (const [system, { hits, empty }] of found) {
      const share = (count: number) => (count / questions).toFixed(3);
      console.log(
        `${set.name}: ${system}: Hit@${most} ${share(hits)}, empty ${share(empty)} (n = ${questions})`,
      );
    }
    const missed = (system: string) => 1 - (found.get(system)?.hits ?? 0) / questions;
    measurements.push({
      work: `questions without their answer among the first ${most} hits (${set.name})`,
      limit: "the same in plain FTS5 (porter, BM25, any word)",
      ratio: missed(carryonSearch) / missed(plainSearch),
      n: questions,
    });
  }
  for (const project of new Set(dev.sources.map((source) => source.project)))
    measurements.push(
      await measureIndexing(join(bench.folder, "recall", dev.name, project, "carryon"), bench.folder),
    );
  const locomo = process.env.CARRYON_LOCOMO;
  if (locomo) await measureLocomo(locomo, join(bench.folder, "locomo"), most);
  return { measurements, milliseconds: {} };
}

const carryonSearch = "carryon search";
const plainSearch = "plain FTS5";
/** The same through the protocol: how each tool is asked, and how its answer names the entries that it quotes. */
const tools = [
  {
    name: "session_search",
    inputOf: (query: string) => ({ query, limit: most }),
    source: /^(\S+) (?:title|(#\d+) \S+ \S+): /gm,
  },
  {
    name: "recall",
    inputOf: (question: string) => ({ question }),
    source: /^(\S+?)(#\d+)? \d{4}-\d\d-\d\d(?: ".*")?$/gm,
  },
];

interface Tally {
  hits: number;
  empty: number;
}

async function scoreSet(set: CaseSet, folder: string) {
  const names = [carryonSearch, plainSearch, ...tools.map(({ name }) => `MCP ${name}`)];
  const found = new Map<string, Tally>(names.map((name) => [name, { hits: 0, empty: 0 }]));
  let questions = 0;
  for (const [project, sources] of Map.groupBy(set.sources, (source) => source.project)) {
    const texts = new Map(sources.flatMap((source) => textsOf(set, source)));
    const plain = openPlain(texts);
    const laidOut = layOut(set, sources, join(folder, project));
    await using store = await openStore(laidOut.home);
    await using mcp = await startMcp({ folder: laidOut.cwd, env: laidOut.env }, { cwd: laidOut.cwd });
    const entries = await listEntries(store);
    const linesOf = (ids: readonly SessionId[]) => readDigestLines(store, ids);
    for (const { question, told } of questionsOf(set, sources)) {
      questions += 1;
      const { hits } = await store.search.search({ query: question, match: "ranked", limit: most, linesOf });
      const ids = hits.map(({ entry }) => entry ?? "");
      const isTold = (id: string) => fits(told, normalise(texts.get(id) ?? ""));
      count(found.get(carryonSearch), ids.map(isTold));
      count(found.get(plainSearch), plain(question).map(isTold));
      for (const { name, inputOf, source } of tools) {
        const { text, isError } = await mcp.call(name, inputOf(question));
        if (isError) throw new Error(text);
        const places = Array.from(text.matchAll(source), ([, session, seq = "#0"]) => `${session}${seq}`);
        const told = places.slice(0, most).map((place) => isTold(entries.get(place) ?? ""));
        count(found.get(`MCP ${name}`), told);
      }
    }
  }
  return { questions, found };
}

/** Returns the ids of all entries, by their sessions and numbers. */
async function listEntries({ log }: Pick<Store, "log">): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const { id } of (await log.list({})).sessions)
    for await (const entry of log.read(id)) ids.set(`${id}#${entry.seq}`, entry.id);
  return ids;
}

function count(tally: Tally | undefined, told: readonly boolean[]): void {
  if (tally === undefined) return;
  if (told.length === 0) tally.empty += 1;
  if (told.includes(true)) tally.hits += 1;
}

function questionsOf({ cases }: CaseSet, sources: readonly Source[]): readonly Fact[] {
  const ids = new Set(sources.map(({ id }) => id));
  const ended = cases.filter(({ session, at }) => at === "end" && ids.has(session));
  return ended.flatMap(({ facts }) => facts.filter(({ isDerived }) => !isDerived));
}

function textsOf({ folder }: CaseSet, { id }: Source): readonly (readonly [string, string])[] {
  return readTexts(readLines(join(folder, `${id}.jsonl.gz`)));
}

/** Records all sessions of a project in one home, and returns where that is. */
function layOut(set: CaseSet, sources: readonly Source[], folder: string) {
  const repository = join(folder, "repo");
  const transcripts = join(folder, "home/.claude/projects", repository.replaceAll(/[^A-Za-z0-9]/g, "-"));
  for (const each of [repository, transcripts, join(folder, "tmp")]) mkdirSync(each, { recursive: true });
  for (const { id, sessionId, cwd } of sources) {
    const lines = readLines(join(set.folder, `${id}.jsonl.gz`));
    writeFileSync(
      join(transcripts, `${sessionId}.jsonl`),
      `${lines.join("\n").replaceAll(cwd, repository)}\n`,
    );
  }
  const home = join(folder, "carryon");
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: join(folder, "home"),
    TMPDIR: join(folder, "tmp"),
    CARRYON_HOME: home,
  };
  const options = { cwd: repository, env, stdio: "pipe" } as const;
  execFileSync("git", ["init", "-q", "-b", "main"], options);
  execFileSync(process.execPath, [inRepository("bin", "carryon.cjs"), "import", "claude-code"], options);
  return { home, cwd: repository, env };
}

/** Five lines of FTS5 over the same texts. */
function openPlain(texts: ReadonlyMap<string, string>): (question: string) => readonly string[] {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE VIRTUAL TABLE t USING fts5(id UNINDEXED, x, tokenize = 'porter unicode61')");
  for (const [id, text] of texts) db.prepare("INSERT INTO t VALUES (?, ?)").run(id, text);
  const search = db.prepare("SELECT id FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?");
  return (question) => {
    const words = question.toLowerCase().match(/[a-z0-9_]+/g) ?? ["x"];
    return search.all(words.map((word) => `"${word}"`).join(" OR "), most).map(({ id }) => String(id));
  };
}
