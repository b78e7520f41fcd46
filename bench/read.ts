import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench, Measurement, Outcome } from "./figure.ts";
import type { FilledStore } from "./fixtures.ts";
import { collectGarbage, compare, interleave, median, medianOf, subject } from "./measure.ts";
import type { MemoryUse } from "./read-memory-child.ts";

const barMs = 3;
const parseRounds = 16;

/** A whole session read into objects beside `JSON.parse` of the same entries, and the end of a long one. */
export async function read(bench: Bench): Promise<Outcome> {
  const { readLength, long, rounds } = bench.scale;
  const filled = await bench.fixtures.store(readLength);
  const text = JSON.stringify(await Array.fromAsync(filled.store.log.read(filled.session)));
  const file = bench.fixtures.newPath("entries.json");
  writeFileSync(file, text);
  const whole = await interleave(
    [
      subject({ name: "read", prepare: collectGarbage, work: () => readAll(filled) }),
      subject({ name: "parse", prepare: collectGarbage, work: () => void JSON.parse(text) }),
      subject({
        name: "file",
        prepare: collectGarbage,
        work: () => void JSON.parse(readFileSync(file, "utf8")),
      }),
    ],
    parseRounds,
  );
  const last = await readLast(await bench.fixtures.longStore(), rounds / 2);
  const work = `read a session of ${readLength.toLocaleString("en")} messages into objects`;
  return {
    measurements: [
      { work, limit: "JSON.parse of the same bytes", ...compare(whole, "read", "parse"), bar: 2 },
      { work, limit: "reading and parsing them as one JSON file", ...compare(whole, "read", "file") },
      ...memory(filled, work, Buffer.byteLength(text)),
      {
        work: `the last 50 of ${long.toLocaleString("en")}`,
        limit: `${barMs} ms`,
        ratio: median(last) / barMs,
        bar: 1,
        n: last.length,
      },
    ],
    milliseconds: {
      "read a session": medianOf(whole, "read"),
      "JSON.parse": medianOf(whole, "parse"),
      "readFile and JSON.parse": medianOf(whole, "file"),
      "last 50": median(last),
    },
  };
}

async function readAll({ store, session }: FilledStore): Promise<void> {
  await Array.fromAsync(store.log.read(session));
}

async function readLast({ store, session }: FilledStore, rounds: number): Promise<readonly number[]> {
  const work = () => Array.fromAsync(store.log.read(session, { from: -50 }));
  const times = await interleave([subject({ name: "last", prepare: () => undefined, work })], rounds);
  return times.get("last") ?? [];
}

/** Memory is measured in a process of its own: this one has read the session before. */
function memory(filled: FilledStore, work: string, bytes: number): readonly Measurement[] {
  const script = fileURLToPath(new URL("read-memory-child.ts", import.meta.url));
  const args = ["--expose-gc", script, dirname(filled.store.path), filled.session];
  const uses = Array.from({ length: 3 }, (): MemoryUse => {
    return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
  });
  const row = (limit: string, key: keyof MemoryUse) => {
    return { work, limit, ratio: median(uses.map((use) => use[key])) / bytes, bar: 4, n: uses.length };
  };
  return [
    row("its bytes: memory held by the objects", "held"),
    row("its bytes: growth of the process at its peak", "peak"),
  ];
}
