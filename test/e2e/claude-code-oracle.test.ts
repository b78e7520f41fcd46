import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { listTranscripts, makeSlug } from "../../src/clients/claude-code/locate.ts";
import { readTranscript } from "../../src/clients/claude-code/read-transcript.ts";
import { absorb } from "../../src/clients/claude-code/to-entries.ts";
import { startTranscript } from "../../src/clients/claude-code/transcript-state.ts";
import type { NewEntry, Part } from "../../src/conversation/entry.ts";
import { anyTranscript, fixture, fixtures } from "../support/claude-transcripts.ts";
import { conversationOf } from "../support/client-conversation.ts";
import { installClient } from "../support/install-client.ts";

interface TheirMessage {
  readonly type: string;
  readonly uuid: string;
  readonly message: { readonly content: string | readonly Readonly<Record<string, unknown>>[] };
}

interface TheirSession {
  readonly sessionId: string;
  readonly customTitle?: string;
  readonly gitBranch?: string;
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

/** Puts a transcript where the client would, and returns what we and what they make of it. */
async function compare(cwd: string, session: string, rows: readonly unknown[]) {
  const folder = join(client, "projects", makeSlug(cwd));
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${session}.jsonl`);
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const { entries, leaf } = await ingest(path, session);
  const events = new Map(
    entries.flatMap((entry) => (entry.kind === "event" ? [[entry.id as string, entry.event]] : [])),
  );
  const theirs = await sdk.getSessionMessages(session, { dir: cwd });
  return {
    ours: conversationOf(entries, leaf).map(describeOurs),
    theirs: theirs.filter(({ uuid }) => !events.has(uuid)).map(describeTheirs),
    /** What they show as a message and we record as an event. */
    events: theirs.flatMap(({ uuid }) => events.get(uuid) ?? []),
  };
}

async function ingest(path: string, session: string, agent: string | null = null) {
  let state = startTranscript(session, agent);
  const entries: NewEntry[] = [];
  for await (const batch of readTranscript(path)) {
    const absorbed = absorb(state, batch.rows);
    entries.push(...absorbed.entries);
    state = absorbed.state;
  }
  return { entries, leaf: state.facts.leaf, facts: state.facts };
}

function describeOurs(entry: NewEntry): object {
  if (entry.kind === "summary") return { id: entry.id, says: [entry.text] };
  if (entry.kind !== "message") throw new TypeError(`A ${entry.kind} is not spoken.`);
  return { id: entry.replaces ?? entry.id, says: entry.parts.flatMap(describePart) };
}

function describePart(part: Part): readonly unknown[] {
  switch (part.type) {
    case "text":
      return [part.text];
    case "thinking":
      return [{ thought: part.text, signature: part.signature }];
    case "tool-call":
      return [{ call: part.call, name: part.name, input: part.input }];
    case "tool-result":
      return [{ result: part.call, output: describeOutput(part.output), failed: part.failed ?? false }];
    case "image":
    case "file":
      return [part.type];
    case "other":
      return [];
  }
}

function describeTheirs({ uuid, message: { content } }: TheirMessage): object {
  if (typeof content === "string") return { id: uuid, says: [content] };
  return { id: uuid, says: content.map(describeBlock) };
}

function describeBlock(block: Readonly<Record<string, unknown>>): unknown {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return { thought: block.thinking, signature: block.signature };
    case "tool_use":
      return { call: block.id, name: block.name, input: block.input };
    case "tool_result":
      return {
        ...{ result: block.tool_use_id, output: describeOutput(block.content) },
        failed: block.is_error ?? false,
      };
    default:
      return block.type;
  }
}

/** One text is a text; of pictures only the kind is compared. */
function describeOutput(output: unknown): unknown {
  if (!Array.isArray(output)) return output;
  const described = output.map((block) => (block.type === "text" ? block.text : block.type));
  return described.length === 1 && output[0]?.type === "text" ? described[0] : described;
}

const sessionOf = (rows: readonly Readonly<Record<string, unknown>>[]): string =>
  String(rows.find((row) => typeof row.sessionId === "string")?.sessionId);

describe("the conversation of our entries is the one that Anthropic's SDK reads", () => {
  it.each(fixtures)("from the recorded transcript %s", async (name) => {
    const rows = fixture(name);
    const { ours, theirs, events } = await compare(`/home/me/${name}`, sessionOf(rows), rows);
    expect(theirs.length).toBeGreaterThan(1);
    expect({ ours, events }).toEqual({ ours: theirs.map(asTyped), events: recordedAsEvents[name] ?? [] });
  });

  it("from any transcript", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(anyTranscript, async (rows) => {
        count += 1;
        const session = `99999999-0000-4000-8000-${String(count).padStart(12, "0")}`;
        const { ours, theirs, events } = await compare("/home/me/any", session, rows);
        expect({ ours, events }).toEqual({ ours: theirs, events: [] });
      }),
      { numRuns: 300 },
    );
  });

  it("from the transcript of a subagent", async () => {
    const rows = fixture("2.1.325/printed");
    const session = sessionOf(rows);
    const cwd = "/home/me/with-subagent";
    await compare(cwd, session, rows);
    const folder = join(client, "projects", makeSlug(cwd), session, "subagents");
    await mkdir(folder, { recursive: true });
    for (const end of ["jsonl", "meta.json"]) {
      const from = `test/fixtures/claude-code/2.1.325/subagent.${end}`;
      await cp(from, join(folder, `agent-a77bd006d39d4d274.${end}`));
    }
    const [found] = await listTranscripts(client, cwd);
    const [subagent] = found?.subagents ?? [];
    if (subagent === undefined) throw new Error("The subagent was not found.");
    const { entries, leaf } = await ingest(subagent.path, session, subagent.agent);
    const theirs = await sdk.getSubagentMessages(session, subagent.agent, { dir: cwd });
    expect(theirs.length).toBeGreaterThan(1);
    expect(conversationOf(entries, leaf).map(describeOurs)).toEqual(theirs.map(describeTheirs));
  });
});

/** Commands that the client runs itself, remarks of its own and failed requests are no messages to us. */
const recordedAsEvents: Readonly<Record<string, readonly string[]>> = {
  "2.1.325/printed": ["command", "command-output", "api-error"],
  "2.1.325/typed": ["command-output"],
};

/** What was typed stands in tags there. */
function asTyped(message: object): object {
  const text = JSON.stringify(message).replace(/<bash-input> ?(.*?)<\/bash-input>/, "!$1");
  return JSON.parse(text);
}

describe("the sessions that we find are those that Anthropic's SDK lists", () => {
  it.each([
    "/home/me/plain",
    "/home/me/my_proj.v2/größe",
    `/home/me/${"long-".repeat(60)}`,
    `/home/me/${"länger/".repeat(40)}`,
  ])("in %s", async (cwd) => {
    const rows = fixture("2.1.325/typed");
    const session = sessionOf(rows);
    await compare(cwd, session, rows);
    const [found, ...others] = await listTranscripts(client, cwd);
    const { title, branch } = (await ingest(found?.path ?? "", session)).facts;
    const theirs = await sdk.listSessions({ dir: cwd });
    const described = theirs.map((each) => ({
      ...{ session: each.sessionId, title: each.customTitle, branch: each.gitBranch },
    }));
    expect([{ session: found?.session, title, branch }, ...others]).toEqual(described);
  });
});
