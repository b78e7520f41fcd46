import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { syncClient } from "../src/recording/sync-client.ts";
import { installClient } from "../test/support/install-client.ts";
import { makeTranscript } from "./claude-transcript.ts";
import type { Bench, Measurement, Outcome } from "./figure.ts";

const sessionBytes = 51_000;
const folders = 20;

/** The history of a long time, imported once: beside the time in which it is parsed, and in which the client's own SDK lists it. */
export async function importing(bench: Bench): Promise<Outcome> {
  const count = bench.scale.sessions / 2;
  const client = join(bench.folder, "import", "client");
  const megabytes = Math.round(makeHistory(client, count) / 1e6);
  const parse = await time(async () => parseAll(client));
  const run = () =>
    syncClient({ home: join(bench.folder, "import", "home"), client, machine: "bench", now: new Date() });
  const once = await time(run);
  const again = await time(run);
  const listed = await tryToList(client, count);
  const work = `import of ${count.toLocaleString("en")} sessions, ${megabytes} MB`;
  const beside = (limit: string, ms: number): Measurement => ({ work, limit, ratio: once / ms, n: 1 });
  return {
    measurements: [
      beside("JSON.parse of the same lines", parse),
      ...(listed.ms === undefined ? [] : [beside("listSessions of the Agent SDK", listed.ms)]),
    ],
    milliseconds: {
      [work]: once,
      "import again, nothing new": again,
      "JSON.parse of all": parse,
      ...(listed.ms === undefined ? {} : { "listSessions of the Agent SDK": listed.ms }),
    },
    notes: listed.reason === undefined ? [] : [`The Agent SDK was not measured: ${listed.reason}`],
  };
}

function makeHistory(client: string, count: number): number {
  let bytes = 0;
  for (let index = 0; index < count; index += 1) {
    const session = `${String(index).padStart(8, "0")}-2222-4000-8000-000000000000`;
    const cwd = `/bench/project-${index % folders}`;
    const folder = join(client, "projects", cwd.replaceAll("/", "-"));
    const text = makeTranscript({ session, cwd, bytes: sessionBytes, part: index });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${session}.jsonl`), text);
    bytes += text.length;
  }
  return bytes;
}

function parseAll(client: string): void {
  for (const each of readdirSync(join(client, "projects"), { recursive: true, withFileTypes: true })) {
    if (!each.isFile()) continue;
    const text = readFileSync(join(each.parentPath, each.name), "utf8");
    for (const line of text.trimEnd().split("\n")) JSON.parse(line);
  }
}

/** Lists the sessions with the client's own SDK, where it can be installed. */
async function tryToList(client: string, count: number): Promise<{ ms?: number; reason?: string }> {
  try {
    // It reads this when it is loaded.
    process.env.CLAUDE_CONFIG_DIR = client;
    const folder = await installClient("@anthropic-ai/claude-agent-sdk", "0.3.325");
    const sdk: { listSessions(options: object): Promise<readonly unknown[]> } = await import(
      pathToFileURL(join(folder, "sdk.mjs")).href
    );
    let found = 0;
    const ms = await time(async () => {
      found = (await sdk.listSessions({})).length;
    });
    return found === count ? { ms } : { reason: `it lists ${found} of ${count} sessions` };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
