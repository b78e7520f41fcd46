import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { syncClient } from "../src/recording/sync-client.ts";
import { makeTranscript } from "./claude-transcript.ts";
import type { Bench, Outcome } from "./figure.ts";
import { compare, interleave, medianOf, subject } from "./measure.ts";

const megabyte = 1_000_000;
const samples = 40;
const session = "12345678-0000-4000-8000-000000000000";
const cwd = "/bench/project";

/** Taking in a megabyte that Claude Code wrote, beside the time in which the same text is parsed. */
export async function sync(bench: Bench): Promise<Outcome> {
  const folder = join(bench.folder, "sync", "client", "projects", "-bench-project");
  mkdirSync(folder, { recursive: true });
  const path = (name: string) => join(folder, `${name}.jsonl`);
  const run = () =>
    syncClient({
      ...{ home: join(bench.folder, "sync", "home"), client: join(bench.folder, "sync", "client") },
      ...{ machine: "bench", now: new Date() },
    });
  let part = 0;
  const makePart = (of: string) => {
    part += 1;
    return makeTranscript({ session: of, cwd, bytes: megabyte, part });
  };
  const grow = () => appendFileSync(path(session), makePart(session));
  const add = () => {
    const name = `${String(part).padStart(8, "0")}-1111-4000-8000-000000000000`;
    writeFileSync(path(name), makePart(name));
  };
  writeFileSync(path(session), makePart(session));
  await run();
  const times = await interleave(
    [
      subject({ name: "sync", prepare: grow, work: run }),
      subject({ name: "import", prepare: add, work: run }),
      subject({ name: "nothing", prepare: () => undefined, work: run }),
      subject({ name: "parse", prepare: () => makePart(session), work: parseLines }),
    ],
    Math.min(bench.scale.rounds, samples),
  );
  const limit = "JSON.parse of the same lines";
  return {
    measurements: [
      {
        work: "sync of 1 MB that a session has grown by",
        limit,
        ...compare(times, "sync", "parse"),
        bar: 10,
      },
      { work: "import of a session of 1 MB", limit, ...compare(times, "import", "parse") },
    ],
    milliseconds: {
      "sync, 1 MB more": medianOf(times, "sync"),
      "import, 1 MB": medianOf(times, "import"),
      "sync with nothing new": medianOf(times, "nothing"),
      "JSON.parse, 1 MB": medianOf(times, "parse"),
    },
  };
}

function parseLines(text: string): void {
  for (const line of text.trimEnd().split("\n")) JSON.parse(line);
}
