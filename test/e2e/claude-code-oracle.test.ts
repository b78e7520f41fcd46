import { appendFile, cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import { syncClient } from "../../src/recording/sync-client.ts";
import type { Entry } from "../../src/sessions/entry.ts";
import { parseSessionId, type Strand } from "../../src/sessions/ids.ts";
import { readShown } from "../../src/sessions/observations.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { anyEmissions } from "../support/any-emissions.ts";
import { anyTranscript, fixture, fixtures, sessionOf } from "../support/claude-transcripts.ts";
import { conversationOf, leafOf } from "../support/client-conversation.ts";
import {
  type DescribedMessage,
  describeOurs,
  describeTheirs,
  type TheirMessage,
} from "../support/described-talk.ts";
import { collect } from "../support/entries.ts";
import { installClient } from "../support/install-client.ts";
import { tempDir } from "../support/temp-dir.ts";

interface TheirSession {
  readonly sessionId: string;
  readonly customTitle?: string;
  readonly firstPrompt?: string;
  readonly gitBranch?: string;
  readonly cwd?: string;
}

/** What Anthropic's own SDK offers to read sessions. */
interface Sdk {
  getSessionMessages(session: string, options: { readonly dir: string }): Promise<readonly TheirMessage[]>;
  getSubagentMessages(
    session: string,
    agent: string,
    options: { readonly dir: string },
  ): Promise<readonly TheirMessage[]>;
  listSessions(options: { readonly dir: string }): Promise<readonly TheirSession[]>;
}

let sdk: Sdk;
let client: string;

beforeAll(async () => {
  // The SDK reads it once; the folder goes with the TMPDIR of the test run.
  client = join(process.env.TMPDIR ?? "", "claude");
  process.env.CLAUDE_CONFIG_DIR = client;
  const folder = await installClient("@anthropic-ai/claude-agent-sdk", "0.3.325");
  sdk = await import(pathToFileURL(join(folder, "sdk.mjs")).href);
});

type Rows = readonly Readonly<Record<string, unknown>>[];

/** Puts a transcript where the client would, in pieces that are taken into a store as a living client writes them. */
async function record(home: string, cwd: string, session: string, rows: Rows, pieces = 2): Promise<void> {
  const folder = join(client, "projects", makeSlug(cwd));
  const live = join(client, "sessions", `${process.pid}.json`);
  for (const each of [folder, dirname(live)]) await mkdir(each, { recursive: true });
  if (pieces > 1) await writeFile(live, JSON.stringify({ pid: process.pid, sessionId: session }));
  const path = join(folder, `${session}.jsonl`);
  const bytes = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const size = Math.ceil(bytes.length / pieces);
  await writeFile(path, "");
  for (let from = 0; from < bytes.length; from += size) {
    await appendFile(path, bytes.subarray(from, from + size));
    await sync(home, cwd, whileWritten);
  }
  await rm(live, { force: true });
  await sync(home, cwd, new Date());
}

/** A moment at which everything that was recorded has just been written. */
const whileWritten = new Date(0);

async function sync(home: string, cwd: string, now: Date): Promise<void> {
  const report = await syncClient({ home, client, below: cwd, machine: "here", now });
  expect(report).toMatchObject({ failed: [], rejected: [] });
}

/** Returns what is shown of a session; nothing of one in which nothing was said, which is not in the store. */
async function readStored(home: string, session: string): Promise<readonly Entry[]> {
  await using store = await openStore(home);
  const { sessions } = await store.log.list({ id: parseSessionId(session) });
  if (sessions.length === 0) return [];
  return await collect(readShown(store.log, parseSessionId(session)));
}

/** Returns the conversation of what is stored on a strand: the path to its newest entry. */
function spoken(entries: readonly Entry[], strand?: Strand): readonly DescribedMessage[] {
  return conversationOf(entries, leafOf(entries, strand)).map(describeOurs);
}

/** Returns what the store and what the SDK have of a session. */
async function compare(home: string, cwd: string, session: string) {
  const entries = await readStored(home, session);
  const events = new Map(
    entries.flatMap((entry) => (entry.kind === "event" ? [[entry.id as string, entry.event]] : [])),
  );
  const theirs = await sdk.getSessionMessages(session, { dir: cwd });
  return {
    ours: spoken(entries),
    theirs: theirs.filter(({ uuid }) => !events.has(uuid)).map(describeTheirs),
    /** What they show as a message and we record as an event. */
    events: theirs.flatMap(({ uuid }) => events.get(uuid) ?? []),
  };
}

/** Sessions that belong together, each with those that it was forked from before it, and sessions alone. */
const families: readonly (readonly string[])[] = [
  ["2.1.197/resumed", "2.1.197/forked"],
  ["2.1.325/titled", "2.1.325/forked", "2.1.325/forked-by-sdk"],
  ...["2.1.325", "2.1.197"].map((version) =>
    ["compacted", "fork-of-compacted", "fork-of-fork"].map((name) => `${version}/${name}`),
  ),
  ...fixtures.map((name) => [name]),
];

describe("the conversation in the store is the one that Anthropic's SDK reads", () => {
  it.each(families.map((names) => ({ names, of: names.join(", ") })))("of $of", async ({ names, of }) => {
    await using home = await tempDir();
    const cwd = `/home/me/${of}`;
    // What a fork copies is there before its own first row.
    for (const [index, name] of names.entries())
      await record(home.path, cwd, sessionOf(fixture(name)), fixture(name), index === 0 ? 3 : 1);
    for (const name of names) {
      const { ours, theirs, events } = await compare(home.path, cwd, sessionOf(fixture(name)));
      expect(theirs.length).toBeGreaterThan(1);
      const expected = theirs.map(asTyped).map(names.length === 1 ? (each) => each : withOriginals(name));
      expect({ name, ours, events }).toEqual({ name, ours: expected, events: recordedAsEvents[name] ?? [] });
    }
  });

  it.each([
    { of: "any session", rows: anyTranscript, first: 1, pieces: 2, numRuns: 200 },
    { of: "rows that come again and again", rows: anyEmissions, first: 10_001, pieces: 4, numRuns: 40 },
  ])("of $of", async ({ rows: anyRows, first, pieces, numRuns }) => {
    await using home = await tempDir();
    let count = first;
    await fc.assert(
      fc.asyncProperty<[Rows]>(anyRows, async (rows) => {
        const number = String(count).padStart(8, "0");
        count += 1;
        // Sessions that have rows in common would be forks of one another.
        const own = JSON.stringify(rows).replaceAll('"00000000-0000-4000', `"${number}-0000-4000`);
        const [session, cwd] = [`${number}-9999-4000-8000-000000000000`, `/home/me/any/${number}`];
        await record(home.path, cwd, session, JSON.parse(own), pieces);
        const { ours, theirs, events } = await compare(home.path, cwd, session);
        expect({ ours, events }).toEqual({ ours: theirs, events: [] });
      }),
      { numRuns },
    );
  });

  it.each([
    { of: "2.1.325/printed", subagent: "2.1.325/subagent" },
    { of: "2.1.325/compacted", subagent: "2.1.325/compacted-subagent" },
    { of: "2.1.197/compacted", subagent: "2.1.197/compacted-subagent" },
  ])("of $subagent", async ({ of, subagent }) => {
    await using home = await tempDir();
    const [cwd, session] = [`/home/me/${subagent}`, sessionOf(fixture(of))];
    const folder = join(client, "projects", makeSlug(cwd), session, "subagents");
    await mkdir(folder, { recursive: true });
    const agent = String(fixture(subagent)[0]?.agentId);
    for (const end of ["jsonl", "meta.json"])
      await cp(`test/fixtures/claude-code/${subagent}.${end}`, join(folder, `agent-${agent}.${end}`));
    await record(home.path, cwd, session, fixture(of));
    const theirs = await sdk.getSubagentMessages(session, agent, { dir: cwd });
    expect(theirs.length).toBeGreaterThan(1);
    const ours = spoken(await readStored(home.path, session), `agent-${agent}` as Strand);
    expect(ours).toEqual(theirs.map(describeTheirs));
    expect((await compare(home.path, cwd, session)).ours.length).toBeGreaterThan(1);
  });
});

/** Commands that the client runs itself, remarks of its own and failed requests are no messages to us. */
const commands = ["command", "command-output"];
const recordedAsEvents: Readonly<Record<string, readonly string[]>> = {
  "2.1.325/printed": [...commands, "api-error"],
  "2.1.325/typed": ["command-output"],
  "2.1.197/rewound": commands,
  ...Object.fromEntries(
    fixtures.filter((name) => /compacted|fork-of-fork/.test(name)).map((name) => [name, commands]),
  ),
};

/** A fork that the SDK made has copies under new ids; where its origin is in the store, it shares the originals. */
function withOriginals(name: string): (message: DescribedMessage) => DescribedMessage {
  const originals = new Map(
    fixture(name).map(({ uuid, forkedFrom }) => [uuid, (forkedFrom as CopiedFrom | undefined)?.messageUuid]),
  );
  return ({ id, says }) => ({ id: originals.get(id) ?? id, says });
}

interface CopiedFrom {
  readonly messageUuid: string;
}

/** What was typed stands in tags there. */
function asTyped(message: DescribedMessage): DescribedMessage {
  const text = JSON.stringify(message).replace(/<bash-input> ?(.*?)<\/bash-input>/, "!$1");
  return JSON.parse(text);
}

describe("the sessions in the store are those that Anthropic's SDK lists", () => {
  it.each(fixtures)("of %s", async (name) => {
    await using home = await tempDir();
    const [cwd, rows] = [`/home/me/listed/${name}`, fixture(name)];
    await record(home.path, cwd, sessionOf(rows), rows);
    expect(await listOurs(home.path)).toEqual(await listTheirs(cwd));
  });

  it.each([
    "/home/me/plain",
    "/home/me/my_proj.v2/größe",
    `/home/me/${"long-".repeat(60)}`,
    `/home/me/${"länger/".repeat(40)}`,
  ])("in %s", async (cwd) => {
    await using home = await tempDir();
    const rows = fixture("2.1.325/typed");
    await record(home.path, cwd, sessionOf(rows), rows);
    const theirs = await listTheirs(cwd);
    expect([await listOurs(home.path), theirs.length]).toEqual([theirs, 1]);
  });
});

async function listOurs(home: string): Promise<readonly object[]> {
  await using store = await openStore(home);
  const { sessions } = await store.log.list({ limit: 100 });
  return sessions.map(({ id, title, branch, cwd }) => ({ session: id, title, branch, cwd }));
}

/** Where nobody named a session, we show its first prompt; where no branch is checked out, they show HEAD. */
async function listTheirs(cwd: string): Promise<readonly object[]> {
  const sessions = await sdk.listSessions({ dir: cwd });
  return sessions.map(({ sessionId, customTitle, firstPrompt, gitBranch, cwd: folder }) => ({
    ...{ session: sessionId, title: customTitle ?? firstPrompt, cwd: folder },
    branch: gitBranch === "HEAD" ? null : gitBranch,
  }));
}
