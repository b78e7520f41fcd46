import { readdir, rm, truncate } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Claude, openClaude } from "../support/clients/open-claude.ts";
import { git } from "../support/git-repo.ts";
import { runOn } from "../support/machine.ts";
import type { ShownEntry } from "../support/recorded-claude.ts";
import { type RichSession, readOwnFile, recordRichSession, talkOf } from "../support/rich-session.ts";
import { launcher } from "../support/test-context.ts";

const version = "2.1.325";

let rich: RichSession;

beforeAll(async () => {
  rich = await recordRichSession(version);
});
beforeEach(() => rich.restore());
afterAll(() => rich[Symbol.asyncDispose]());

/** Carryon and Claude Code on one machine. */
interface Place {
  readonly cwd: string;
  readonly claude: Claude;
  /** Returns what a command answers, and what it says besides; it must succeed. */
  readonly call: (args: readonly string[], input?: string) => Promise<{ stdout: string; stderr: string }>;
}

function placeOf(claude: Claude, home: string): Place {
  const { cwd } = claude;
  const env = { CARRYON_HOME: home, HOME: claude.home };
  const machine = { cwd, path: process.env.PATH ?? "", env };
  return {
    ...{ cwd, claude },
    call: async (args, input) => {
      const { code, stdout, stderr } = await runOn(machine, process.execPath, [launcher, ...args], input);
      expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
      return { stdout, stderr };
    },
  };
}

function here(): Place {
  return placeOf(rich.shop.claude, rich.shop.home);
}

/** Another person's machine, with a folder of the repository. */
async function elsewhere(name: string, cwd: string): Promise<Place> {
  const claude = await openClaude({
    ...{ version, server: rich.shop.server, cwd, home: join(rich.folder, name, "home") },
    env: { CARRYON_HOME: join(rich.folder, name, "carryon-home") },
  });
  return placeOf(claude, join(rich.folder, name, "carryon-home"));
}

/** Resumes a session as a command of Carryon says, asks something there, and takes it in. */
async function goOn(place: Place, args: readonly string[], prompt = "go on") {
  const { stdout, stderr } = await place.call(args);
  const id = /claude --resume=(\S+)\n$/.exec(stdout)?.[1] ?? "";
  const { server } = rich.shop;
  const refused = server.refusals.length;
  const run = await place.claude.run(prompt, ["--resume", id]);
  const talk = talkOf(server.requests.findLast(({ method }) => method === "POST"));
  const refusals = server.refusals.slice(refused).map(({ refusal }) => refusal);
  const report = JSON.parse((await place.call(["sync", "--json"])).stdout);
  const { revised, rejected, orphans, failed, sessions, forks } = report;
  expect({ refusals, exit: run.exit, revised, rejected, orphans, failed, sessions, forks }).toEqual({
    ...{ refusals: [], exit: 0, revised: [], rejected: [], orphans: [], failed: [], sessions: 0, forks: 0 },
  });
  return { id, talk, said: stderr };
}

async function sessionsOf(place: Place): Promise<readonly { readonly id: string }[]> {
  return JSON.parse((await place.call(["sessions", "--json"])).stdout).sessions;
}

async function entriesOf(
  place: Place,
  id: string,
): Promise<readonly (ShownEntry & { readonly seq: number })[]> {
  return JSON.parse((await place.call(["show", id, "--json"])).stdout).entries;
}

/** Returns the prompts of a session. */
async function promptsOf(place: Place, id: string): Promise<readonly (string | undefined)[]> {
  const entries = await entriesOf(place, id);
  return entries
    .filter(({ role, strand }) => role === "user" && strand === "main")
    .map(({ parts }) => parts?.[0]?.text);
}

/** Returns the number of the last entry before a prompt. */
async function numberBefore(place: Place, id: string, prompt: string): Promise<string> {
  const entries = await entriesOf(place, id);
  const seq = entries.find(({ parts }) => parts?.[0]?.text === prompt)?.seq ?? 0;
  return String(seq - 1);
}

const kept = "Kept: 4 prompts, 8 answers, 18 calls, 18 results, 1 summary, 2 subagents.";
const changed = "Changed: image replaced by a note (2).";
const lost = "Left out: text that a hook added (3), mentioned file (1).";
const everything = `${kept} ${changed} ${lost}\n`;

describe("a session in which everything happened goes on in Claude Code with every prompt, answer, call and result", () => {
  it("where its files were deleted, as often as one likes, and it stays one session", async () => {
    const [place, { id, own }] = [here(), rich];
    const path = await place.claude.locateTranscript(id);
    await rm(join(dirname(path), id), { recursive: true });
    await rm(path);
    let expected = own;
    for (let round = 0; round < 3; round += 1) {
      const resumed = await goOn(place, ["resume", id], `round ${round}`);
      expect(resumed).toMatchObject({ id, said: round === 0 ? expect.stringContaining(everything) : "" });
      expect(resumed.talk.slice(0, expected.length)).toEqual(expected);
      expected = resumed.talk;
    }
    expect(await readdir(join(dirname(path), id, "subagents"))).toHaveLength(2);
    expect(await sessionsOf(place)).toHaveLength(1);
    expect((await promptsOf(place, id)).slice(-4)).toEqual(["and then?", "round 0", "round 1", "round 2"]);
    const { hits } = JSON.parse((await place.call(["search", "round", "--json"])).stdout);
    expect(new Set((hits as readonly { session: string }[]).map(({ session }) => session))).toEqual(
      new Set([id]),
    );
  });

  it("where it was forked before its compaction", async () => {
    const [place, { id, before }] = [here(), rich];
    const at = await numberBefore(place, id, "and now?");
    const fork = await goOn(place, ["fork", id, "--at", at, "--resume"]);
    expect(fork.talk.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
    expect(fork.id).not.toBe(id);
    expect(await sessionsOf(place)).toHaveLength(2);
  });

  it("where another one was merged into it, and the file that it has stays as it is", async () => {
    const [place, { id, own }] = [here(), rich];
    const at = await numberBefore(place, id, "and now?");
    const fork = (await place.call(["fork", id, "--at", at])).stdout.trim();
    const more = { role: "user", text: "from the fork" };
    await place.call(["append", "--session", fork], `${JSON.stringify(more)}\n`);
    await place.call(["merge", id, fork]);
    const file = await readOwnFile(place.claude, id);
    const { id: given, talk } = await goOn(place, ["resume", id]);
    expect(talk.slice(0, own.length)).toEqual(own);
    expect(JSON.stringify(talk.slice(own.length))).toContain("from the fork");
    expect(given).not.toBe(id);
    expect(await readOwnFile(place.claude, id)).toBe(file);
    expect((await promptsOf(place, id)).at(-1)).toBe("go on");
  });

  it("where it was pulled into a clone under another path", async () => {
    const [place, { id, own, folder }] = [here(), rich];
    const cwd = join(folder, "Ben's clönē.v2 漢");
    await git(folder, "clone", "--quiet", place.cwd, cwd);
    const ben = await elsewhere("ben", cwd);
    const remote = join(folder, "remote");
    await place.call(["push", remote, "--create"]);
    await ben.call(["pull", remote]);
    const { talk, said } = await goOn(ben, ["resume", id]);
    expect([talk.slice(0, own.length), said]).toEqual([own, expect.stringContaining(everything)]);
    expect(await sessionsOf(ben)).toHaveLength(1);
    expect((await promptsOf(ben, id)).at(-1)).toBe("go on");
  });

  it("where it was imported from an export", async () => {
    const [place, { id, own, folder }] = [here(), rich];
    const file = join(folder, "rich.jsonl");
    await place.call(["export", id, "--output", file]);
    const ada = await elsewhere("ada", place.cwd);
    await ada.call(["import", file]);
    const { talk, said } = await goOn(ada, ["resume", id]);
    expect([talk.slice(0, own.length), said]).toEqual([own, expect.stringContaining(everything)]);
    expect(await sessionsOf(ada)).toHaveLength(1);
  });

  it("where its file was damaged, which stays as it is", async () => {
    const [place, { id, own }] = [here(), rich];
    const path = await place.claude.locateTranscript(id);
    const file = await readOwnFile(place.claude, id);
    await truncate(path, Math.floor(Buffer.byteLength(file) * 0.7));
    const damaged = await readOwnFile(place.claude, id);
    const { id: given, talk, said } = await goOn(place, ["resume", id]);
    expect([talk.slice(0, own.length), said]).toEqual([own, expect.stringContaining(everything)]);
    expect(given).not.toBe(id);
    expect(await readOwnFile(place.claude, id)).toBe(damaged);
    expect(await sessionsOf(place)).toHaveLength(1);
  });
});

it("a talk of other clients goes on in Claude Code as the model takes it", async () => {
  const place = here();
  const call = (id: string, name: string, input: unknown) => ({
    ...{ kind: "message", role: "assistant" },
    parts: [{ type: "tool-call", call: id, name, input }],
  });
  const result = (id: string, output: unknown, more: object = {}) => ({
    ...{ kind: "message", role: "tool" },
    parts: [{ type: "tool-result", call: id, output, ...more }],
  });
  const lines = [
    { role: "assistant", text: "I begin." },
    { role: "user", text: " \n" },
    ...[call("functions.read:0", "mcp.some/tool", "plain"), result("functions.read:0", { found: 1 })],
    ...[call("call_0", "Bash", { command: "1" }), result("call_0", "one")],
    ...[call("call_0", "Bash", { command: "2" }), result("call_0", "", { failed: true })],
    result("call_9", "of no call"),
    call("call_7", "Bash", { command: "never done" }),
    { role: "user", text: "Next: \ud800 half" },
    {
      ...{ kind: "message", role: "assistant", model: "gpt-5" },
      parts: [
        { type: "thinking", text: "hm", signature: "theirs" },
        { type: "other", raw: { type: "theirs" } },
        { type: "text", text: "Fine." },
      ],
    },
  ];
  const { stdout } = await place.call(["append"], lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const { talk, said } = await goOn(place, ["resume", JSON.parse(stdout.split("\n")[0] ?? "").session]);
  expect(talk).toMatchObject([
    ...[{ role: "user" }, { text: "I begin." }],
    ...[{ name: "mcp_some_tool", input: { value: "plain" } }, { content: '{"found":1}' }],
    ...[{ input: { command: "1" } }, { content: "one" }],
    ...[{ input: { command: "2" } }, { content: "It failed.", is_error: true }],
    ...[{ text: "Next: \ufffd half" }, { text: "Fine." }, { text: "go on" }],
  ]);
  expect(said).toContain(
    "Kept: 2 answers, 3 calls, 3 results, 1 prompt. Changed: call in another form (1). Left out: result without its call (1), call without a result (1), thought that the model would not take back (1), part of an unknown kind (1).\n",
  );
});
