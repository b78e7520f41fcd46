import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeSlug } from "../src/clients/claude-code/locate.ts";
import { absorb } from "../src/clients/claude-code/to-entries.ts";
import { toRows } from "../src/clients/claude-code/to-rows.ts";
import { startTranscript } from "../src/clients/claude-code/transcript-state.ts";
import { toRow } from "../src/clients/claude-code/wire.ts";
import type { NativeTarget } from "../src/clients/client.ts";
import type { Entry, NewEntry } from "../src/sessions/entry.ts";
import { type EntryId, mainStrand, parseSessionId } from "../src/sessions/ids.ts";
import { type Claude, openClaude } from "../test/support/clients/open-claude.ts";
import { openModelServer } from "../test/support/model-server/open-model-server.ts";
import { makeTranscript } from "./claude-transcript.ts";
import type { Bench, Outcome } from "./figure.ts";
import { collectGarbage, compare, interleave, medianOf, subject } from "./measure.ts";
import { makeMessages } from "./workload.ts";

const session = parseSessionId("11111111-2222-4000-8000-000000000000");
const rounds = 16;
/** A resume takes seconds, and each of both is measured in turn. */
const clientRounds = 8;

/** A session written for Claude Code beside `JSON.stringify` of its rows; and how the client resumes it, beside its own file. */
export async function resume(bench: Bench): Promise<Outcome> {
  const count = bench.scale.readLength;
  const entries = stored(makeMessages(count));
  const { rows = [] } = toRows(entries, targetIn("/bench")).files[0] ?? {};
  const times = await interleave(
    [
      subject({
        name: "write",
        prepare: collectGarbage,
        work: () => void toRows(entries, targetIn("/bench")),
      }),
      subject({
        name: "stringify",
        prepare: collectGarbage,
        work: () => void rows.reduce((sum, row) => sum + JSON.stringify(row).length, 0),
      }),
    ],
    rounds,
  );
  const work = `write a session of ${count.toLocaleString("en")} messages for Claude Code`;
  const client = await resumeInClient(bench, count);
  return {
    measurements: [
      { work, limit: "JSON.stringify of its rows", ...compare(times, "write", "stringify"), bar: 3 },
      ...client.measurements,
    ],
    milliseconds: {
      [work]: medianOf(times, "write"),
      "JSON.stringify of its rows": medianOf(times, "stringify"),
      ...client.milliseconds,
    },
    notes: client.notes ?? [],
  };
}

/** Lets the real client resume a long session from its own file, and from one that was written of what was read of that. */
async function resumeInClient(bench: Bench, count: number): Promise<Outcome> {
  await using server = await openModelServer({ otherwise: { text: "Understood." } });
  const cwd = join(bench.folder, "resumed");
  let claude: Claude;
  try {
    claude = await openClaude({ version: "2.1.325", server, cwd });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { measurements: [], milliseconds: {}, notes: [`Claude Code was not measured: ${reason}`] };
  }
  await using client = claude;
  const place = realpathSync(cwd);
  const own = makeCompacted(place, count);
  const read = absorb(
    startTranscript(session),
    own.map(toRow).filter((row) => row.family !== "rejected"),
  );
  const [written] = toRows(stored(read.entries), targetIn(place)).files;
  const messages = read.entries.filter(({ kind }) => kind === "message").length;
  const folder = join(client.home, ".claude", "projects", makeSlug(place));
  mkdirSync(folder, { recursive: true });
  const ask = (name: string, rows: readonly object[]) => {
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    return subject({
      name,
      // The client adds to the file that it resumes.
      prepare: () => writeFileSync(join(folder, `${session}.jsonl`), text),
      work: async () => {
        const { exit, stderr } = await client.run("go on", ["--resume", session]);
        const asked = JSON.stringify(server.requests.findLast(({ method }) => method === "POST")?.body);
        if (exit !== 0 || !asked.includes("much was done."))
          throw new Error(`Claude Code did not resume it (${exit}): ${stderr}`);
      },
    });
  };
  const times = await interleave([ask("own", own), ask("written", written?.rows ?? [])], clientRounds);
  const work = `Claude Code resumes a session of ${messages.toLocaleString("en")} messages that was written for it`;
  return {
    measurements: [
      {
        ...{ work, limit: "the same from the file that it had itself" },
        ...{ ...compare(times, "written", "own"), bar: 1.2 },
      },
    ],
    milliseconds: { [work]: medianOf(times, "written"), "from its own file": medianOf(times, "own") },
  };
}

/** Makes a long transcript that was compacted shortly before its end, so that its context fits into what the model takes. */
function makeCompacted(cwd: string, count: number): readonly object[] {
  const parse = (text: string) =>
    text
      .trimEnd()
      .split("\n")
      .map((line): Readonly<Record<string, unknown>> => JSON.parse(line));
  const before = parse(makeTranscript({ session, cwd, bytes: count * 3300 }));
  const after = parse(makeTranscript({ session, cwd, bytes: 50_000, part: 1 }));
  const last = before.findLast(({ uuid }) => uuid !== undefined);
  const [boundary, summary] = ["a", "b"].map((end) => `11111111-2222-4000-8000-00000000000${end}`);
  const common = { ...last, message: undefined, attachment: undefined };
  const compacted = [
    {
      ...common,
      ...{ type: "system", subtype: "compact_boundary", content: "Conversation compacted", level: "info" },
      ...{ parentUuid: null, logicalParentUuid: last?.uuid, uuid: boundary, isMeta: false },
      compactMetadata: { trigger: "auto", preTokens: 150_000 },
    },
    {
      ...common,
      ...{ type: "user", parentUuid: boundary, uuid: summary, isCompactSummary: true },
      message: { role: "user", content: "This session is being continued. Summary: much was done." },
    },
  ];
  return [
    ...before,
    ...compacted,
    ...after.map((row) => (row.parentUuid === null ? { ...row, parentUuid: summary } : row)),
  ];
}

function targetIn(cwd: string): NativeTarget {
  return { id: session, session, cwd, version: "2.1.325", branches: new Map([[session, "main"]]) };
}

/** Returns entries as a store would have them; where none names its parent, each follows the one before it. */
function stored(entries: readonly NewEntry[]): readonly Entry[] {
  let before: EntryId | null = null;
  return entries.map((entry, at) => {
    const parent: EntryId | null = entry.parent === undefined ? before : entry.parent;
    before = entry.id;
    return { strand: mainStrand, ...entry, parent, session, seq: at + 1 };
  });
}
