import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Decision, renderDecision, renderTime } from "../src/handover/decision.ts";
import { announced, written } from "../src/handover/decisions/recorded-decisions.ts";
import { digestOf, digestOfBytes, linkOf } from "../src/handover/decisions/watermark.ts";
import { DocumentRecord } from "../src/handover/document-record.ts";
import { locateHandover } from "../src/handover/handover-folder.ts";
import { systemClock } from "../src/lib/clock.ts";
import { systemRandom } from "../src/lib/uuid-v7.ts";
import type { NewEntry, Part } from "../src/sessions/entry.ts";
import { makeEntryId, parseSessionId } from "../src/sessions/ids.ts";
import { recordClient } from "../src/sessions/session.ts";
import { openProject, type WritableProject } from "../src/workspace/open-project.ts";
import { git } from "./many-files.ts";

/** How much there is to know of a project. */
export interface LargeProject {
  readonly root: string;
  readonly home: string;
  readonly decisions: number;
  readonly sessions: number;
}

const machine = hostname();
/** The newest sessions are long: their digests are what a brief is made of. */
const [longSessions, longTurns, shortTurns] = [60, 60, 2];
const sessionEveryMs = 3 * 3_600_000;

/** Makes a repository, and a store that has recorded its decisions and sessions as if they had come one by one. */
export async function makeLargeProject(project: LargeProject): Promise<void> {
  const { root, home } = project;
  mkdirSync(join(root, "src"), { recursive: true });
  mkdirSync(home, { recursive: true, mode: 0o700 });
  git(root, ["init", "--quiet", "--initial-branch=main"]);
  for (const name of ["cart", "price", "order"])
    writeFileSync(join(root, "src", `${name}.ts`), `export const ${name} = 1;\n`);
  git(root, ["add", "--all"]);
  git(root, ["commit", "--quiet", "--message", "Begin the shop"]);
  // In memory, where thousands of commits take seconds.
  const draft = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), "carryon-bench-"));
  try {
    const here = await openProject({ cwd: root, home: draft, store: undefined }, "write");
    try {
      await recordSessions(here, project.sessions);
      await recordDecisions(here, project.decisions);
    } finally {
      await here[Symbol.asyncDispose]();
    }
    cpSync(draft, home, { recursive: true });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const memory = "/dev/shm";

/** How many notes or messages are stored at once. */
const batchSize = 2000;

/** Writes decisions.md at once, and the notes of the log that appending each decision would have left. */
async function recordDecisions({ store, project, root }: WritableProject, count: number): Promise<void> {
  const site = { log: store.log, project, root, machine, clock: systemClock, random: systemRandom };
  const path = locateHandover({ root, sddDir: ".sdd" }).decisions;
  mkdirSync(dirname(path), { recursive: true });
  const texts: Buffer[] = [];
  let notes: NewEntry[] = [];
  let [size, chain, end] = [0, "", Buffer.alloc(0)];
  const add = async (event: string, data: Parameters<DocumentRecord["add"]>[1], at: Date) => {
    if (texts.length === 1 && event === announced)
      return new DocumentRecord(site, "decisions.md").add(event, data);
    notes.push({ id: makeEntryId(at), at, kind: "event", event, data });
    if (notes.length < batchSize) return undefined;
    return flush();
  };
  const flush = async () => {
    const [record] = (await store.log.list({ project: project.id, client: recordClient })).sessions;
    if (record === undefined) throw new Error("The decisions have no record.");
    await store.log.append(record.id, notes);
    notes = [];
  };
  const now = Date.now();
  for (let seq = 1; seq <= count; seq += 1) {
    const at = new Date(now - (count - seq + 1) * 60_000);
    const raw = renderDecision(makeDecision(seq, at));
    const bytes = Buffer.from(`${seq === 1 ? "" : "\n"}${raw}\n`);
    texts.push(bytes);
    const from = size;
    size += bytes.length;
    chain = linkOf(chain, bytes);
    end = Buffer.concat([end, bytes]).subarray(-4096);
    const digest = digestOf(raw);
    const watermark = { from, size, highest: seq, chain, tail: digestOfBytes(end) };
    await add(announced, { seq, digest, watermark, text: raw, root, whole: true }, at);
    await add(written, { digest }, at);
  }
  await flush();
  writeFileSync(path, Buffer.concat(texts));
}

/** Every twentieth says that a session began, as in life. */
function makeDecision(seq: number, at: Date): Decision {
  const none = { reason: "", impact: "", steeringRef: "" };
  const head = { seq, at: renderTime(at) };
  if (seq % 20 === 10)
    return {
      ...{ ...head, type: "SESSION_START", summary: "Session started", context: `session begun-${seq}` },
      ...{ decision: "Go on from session.md", source: "carryon", ...none },
    };
  return {
    ...{ ...head, type: "USER_DECISION", summary: `Keep the ${seq}th kind of price in a table of its own` },
    context: "The reports read one kind at a time, and the table of all kinds has grown slow.",
    decision: "One table for each kind, and a view over all of them for what is left.",
    reason: "A report then reads what it shows and nothing else.",
    impact: "A migration, and two queries that join the tables.",
    ...{ source: "user", steeringRef: "" },
  };
}

async function recordSessions({ store, project, root }: WritableProject, count: number): Promise<void> {
  const now = Date.now();
  for (let index = 0; index < count; index += 1) {
    const left = count - index;
    const startedAt = new Date(now - left * sessionEveryMs);
    const branch = left % 3 === 0 ? `feature-${Math.floor(left / 30)}` : "main";
    const id = parseSessionId(`${String(index).padStart(8, "0")}-3933-45ad-9a1c-14aec05bb940`);
    const where = { project: project.id, cwd: root, branch, machine, startedAt };
    const entries = talk(startedAt, left <= longSessions ? longTurns : shortTurns);
    await store.log.open({ id, client: "claude-code", clientSessionId: id, ...where }, entries);
  }
}

/** A request, then turns in which something is said, changed and tried, and an answer. */
function talk(startedAt: Date, turns: number): readonly NewEntry[] {
  const entries: NewEntry[] = [];
  let at = startedAt.getTime();
  const say = (role: "user" | "assistant" | "tool", parts: readonly Part[]) => {
    at += 7000;
    const time = new Date(at);
    entries.push({ id: makeEntryId(time), at: time, kind: "message", role, parts });
  };
  say("user", [text("Let the cart round prices per line, not per order; do not touch the invoices.")]);
  for (let turn = 0; turn < turns; turn += 1) {
    const call = `call-${turn}`;
    const isTest = turn % 3 === 2;
    const command = isTest ? "npm test" : `sed -n ${turn},${turn + 40}p src/cart.ts`;
    say("assistant", [
      text(`The total of line ${turn} is wrong because the cart rounds after the discount.`),
      { type: "tool-call", call, name: "Bash", input: { command } },
    ]);
    const output = isTest ? `Tests  1 failed | ${turn} passed\n` : "const total = 1;\n".repeat(40);
    say("tool", [{ type: "tool-result", call, output, ...(isTest && turn % 2 === 0 && { failed: true }) }]);
  }
  say("assistant", [text("The cart rounds per line now. Next: write the migration of the old orders.")]);
  const end = new Date(at + 7000);
  entries.push({ id: makeEntryId(end), at: end, kind: "event", event: "ended", data: {} });
  return entries;
}

function text(words: string): Part {
  return { type: "text", text: words };
}
