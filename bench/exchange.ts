import { writeFileSync } from "node:fs";
import { exportSessions } from "../src/formats/export-sessions.ts";
import { importSource } from "../src/formats/import-source.ts";
import { fileSource } from "../src/formats/source.ts";
import type { Store } from "../src/storage/open-store.ts";
import type { Bench, Outcome } from "./figure.ts";
import { collectGarbage, compare, interleave, medianOf, subject } from "./measure.ts";

const rounds = 8;

/** A session exported with its hashes and imported into an empty store, beside `JSON.parse` of the same lines. */
export async function exchange(bench: Bench): Promise<Outcome> {
  const { readLength } = bench.scale;
  const { store, session } = await bench.fixtures.store(readLength);
  const { sessions } = await store.log.list({ id: session });
  const request = { format: "carryon", sessions, machine: "bench", now: new Date() } as const;
  const render = async () => (await Array.fromAsync(exportSessions(store, request))).join("");
  const text = await render();
  const file = bench.fixtures.newPath("export.jsonl");
  writeFileSync(file, text);
  const measured = await interleave(
    [
      subject({
        name: "import",
        prepare: () => {
          collectGarbage();
          return bench.fixtures.emptyStore();
        },
        work: (empty) => importInto(empty, file),
      }),
      subject({ name: "export", prepare: collectGarbage, work: async () => void (await render()) }),
      subject({ name: "parse", prepare: collectGarbage, work: () => parseLines(text) }),
    ],
    rounds,
  );
  const megabytes = (text.length / 1e6).toFixed(1);
  const what = `a session of ${readLength.toLocaleString("en")} messages, ${megabytes} MB, with its hashes`;
  const limit = "JSON.parse of the same bytes";
  return {
    measurements: [
      { work: `import ${what}`, limit, ...compare(measured, "import", "parse") },
      { work: `export ${what}`, limit, ...compare(measured, "export", "parse") },
    ],
    milliseconds: {
      "import an export": medianOf(measured, "import"),
      "export a session": medianOf(measured, "export"),
      "JSON.parse of its lines": medianOf(measured, "parse"),
    },
  };
}

async function importInto(store: Store, file: string): Promise<void> {
  const talkTarget = () => Promise.reject(new Error("The format carryon names its project."));
  await importSource(fileSource(file), { replica: store.replica, talkTarget }, { now: new Date() });
}

function parseLines(text: string): void {
  for (const line of text.trimEnd().split("\n")) JSON.parse(line);
}
