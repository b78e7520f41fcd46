import { randomUUID } from "node:crypto";
import { appendFile, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeSlug } from "../../src/clients/claude-code/locate.ts";
import type { JsonObject } from "../../src/sessions/entry.ts";
import { putSeen } from "../support/client-folder.ts";
import { recordPrompt as record } from "../support/record-prompt.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const first = "11111111-1111-4111-8111-111111111111";

/** Returns the id that a command gives the client. */
function idIn(stdout: string): string {
  return /--resume=(\S+)/.exec(stdout)?.[1] ?? "";
}

function saysNew(kept: string): string {
  return `Claude Code does not have all of this session: it was written from the store under a new id. Kept: ${kept}.\n`;
}

async function readRows(path: string): Promise<readonly JsonObject[]> {
  return (await readFile(path, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Writes a prompt and its answer at the end of a transcript, as the client does that resumed it. */
async function goOn(path: string, text: string): Promise<void> {
  const parentUuid = (await readRows(path)).findLast(({ uuid }) => typeof uuid === "string")?.uuid ?? null;
  const sessionId = basename(path, ".jsonl");
  const [uuid, answer] = [randomUUID(), randomUUID()];
  const more = { sessionId, timestamp: new Date().toISOString(), cwd: "/nowhere" };
  const rows = [
    { type: "user", uuid, parentUuid, ...more, message: { role: "user", content: text } },
    {
      ...{ type: "assistant", uuid: answer, parentUuid: uuid, ...more },
      message: { id: `msg_${answer}`, role: "assistant", content: [{ type: "text", text: `Did ${text}` }] },
    },
  ];
  await appendFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

/** Returns what was said in a session, in its order. */
async function talkOf(carryon: Carryon, session: string): Promise<readonly (string | undefined)[]> {
  const { entries } = JSON.parse(await carryon.ask(["show", session, "--json"]));
  return (entries as readonly { kind: string; parts?: readonly { text: string }[] }[])
    .filter(({ kind }) => kind === "message")
    .map(({ parts }) => parts?.[0]?.text);
}

async function transcriptOf(carryon: Carryon, id: string): Promise<string> {
  const cwd = await realpath(join(carryon.folder, "work"));
  return join(carryon.folder, ".claude", "projects", makeSlug(cwd), `${id}.jsonl`);
}

async function sync(carryon: Carryon) {
  const { sessions, revised, orphans, rejected, failed } = JSON.parse(await carryon.ask(["sync", "--json"]));
  return { sessions, revised, orphans, rejected, failed };
}

const quiet = { sessions: 0, revised: [], orphans: [], rejected: [], failed: [] };

describe("carryon resume of a session that Claude Code does not have", () => {
  const says =
    "Claude Code has no transcript of this session: it was written from the store. Kept: 1 prompt.\n";

  it("writes the transcript that was deleted, and takes in only what the client adds", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon, first, "first");
    const before = await readRows(path);
    await rm(path);
    const stdout = `cd <folder>/work && claude --resume=${first}\n`;
    expect(await carryon.call(["resume", first])).toEqual({ code: 0, stdout, stderr: says });
    expect((await readRows(path))[0]).toMatchObject({
      ...{ message: before[0]?.message, sessionId: first, timestamp: before[0]?.timestamp },
      ...{ parentUuid: null, cwd: before[0]?.cwd },
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await goOn(path, "more");
    expect(await sync(carryon)).toEqual(quiet);
    expect(await talkOf(carryon, first)).toEqual(["first", "more", "Did more"]);
    // Once it is there, it is the client's.
    expect(await carryon.call(["resume", first])).toEqual({ code: 0, stdout, stderr: "" });
  });

  it("writes the prompt that only a hook has seen", async () => {
    await using carryon = await openCarryon();
    const cwd = await realpath(join(carryon.folder, "work"));
    await putSeen(join(carryon.folder, "home"), {
      ...{ event: "UserPromptSubmit", session: first, at: new Date(0) },
      payload: { prompt: "Fix the login.", cwd },
    });
    await carryon.ask(["sync"]);
    expect(await carryon.call(["resume", first])).toMatchObject({ code: 0, stderr: says });
    const path = join(carryon.folder, ".claude", "projects", makeSlug(cwd), `${first}.jsonl`);
    expect((await readRows(path))[0]).toMatchObject({ message: { role: "user", content: "Fix the login." } });
  });

  it("leaves a transcript alone that is empty, and writes the session under a new id", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon, first, "first");
    await writeFile(path, "");
    const { code, stdout, stderr } = await carryon.call(["resume", first]);
    expect([code, stderr]).toEqual([0, saysNew("1 prompt")]);
    expect(idIn(stdout)).not.toBe(first);
    expect((await stat(path)).size).toBe(0);
  });

  it("writes nothing when it only says what would be written", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon, first, "first");
    expect(await carryon.ask(["resume", first, "--dry-run"])).toBe(
      "Claude Code has this session itself: nothing would be written.\n",
    );
    await rm(path);
    expect(await carryon.ask(["resume", first, "--dry-run"])).toBe(
      "A transcript would be written for Claude Code. Kept: 1 prompt.\n",
    );
    expect(JSON.parse(await carryon.ask(["resume", first, "--dry-run", "--json"])).written).toEqual({
      ...{ kept: { prompt: 1 }, changed: {}, leftOut: {} },
    });
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });
});

describe("carryon resume of a session of which Claude Code has less", () => {
  it("writes it under a new id, and records there what the client adds, ten times", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon, first, "first");
    const own = await readFile(path, "utf8");
    await carryon.ask(["append", "--session", first], [{ role: "user", text: "from elsewhere" }]);
    const { stdout, stderr } = await carryon.call(["resume", first]);
    expect(stderr).toBe(saysNew("2 prompts"));
    const id = idIn(stdout);
    const expected = ["first", "from elsewhere"];
    for (let round = 0; round < 10; round += 1) {
      await goOn(await transcriptOf(carryon, id), `work ${round}`);
      expected.push(`work ${round}`, `Did work ${round}`);
      expect(await sync(carryon)).toEqual(quiet);
      expect(await carryon.call(["resume", first])).toEqual({ code: 0, stdout, stderr: "" });
    }
    expect(await readFile(path, "utf8")).toBe(own);
    expect(await talkOf(carryon, first)).toEqual(expected);
    expect(JSON.parse(await carryon.ask(["sessions", "--json"])).sessions).toHaveLength(1);
    const { hits } = JSON.parse(await carryon.ask(["search", "work 7", "--json"]));
    expect(new Set((hits as readonly { session: string }[]).map(({ session }) => session))).toEqual(
      new Set([first]),
    );
  });

  it("goes on in the file that has all, of several", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon, first, "first");
    await carryon.ask(["append", "--session", first], [{ role: "user", text: "from elsewhere" }]);
    const one = idIn((await carryon.call(["resume", first])).stdout);
    await goOn(path, "on its own");
    await sync(carryon);
    expect(idIn((await carryon.call(["resume", first])).stdout)).toBe(first);
    await goOn(await transcriptOf(carryon, one), "in the other");
    await sync(carryon);
    expect(idIn((await carryon.call(["resume", first])).stdout)).toBe(one);
  });

  it("does not read it as another session when its beginning is read again", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await carryon.ask(["append", "--session", first], [{ role: "user", text: "from elsewhere" }]);
    const path = await transcriptOf(carryon, idIn((await carryon.call(["resume", first])).stdout));
    await sync(carryon);
    const text = await readFile(path, "utf8");
    await rm(path);
    await writeFile(path, text);
    await goOn(path, "more");
    expect(await sync(carryon)).toEqual(quiet);
    expect(await talkOf(carryon, first)).toEqual(["first", "from elsewhere", "more", "Did more"]);
  });

  it("keeps the name that a person gave the session when its beginning is read again", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await carryon.ask(["rename", first, "Before"]);
    await carryon.ask(["append", "--session", first], [{ role: "user", text: "from elsewhere" }]);
    const path = await transcriptOf(carryon, idIn((await carryon.call(["resume", first])).stdout));
    await carryon.ask(["rename", first, "After"]);
    const text = await readFile(path, "utf8");
    await rm(path);
    await writeFile(path, text);
    await goOn(path, "more");
    expect(await sync(carryon)).toEqual(quiet);
    expect(JSON.parse(await carryon.ask(["sessions", "--json"])).sessions).toMatchObject([
      { title: "After" },
    ]);
  });

  it("records what hooks saw of it in the session", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await carryon.ask(["append", "--session", first], [{ role: "user", text: "from elsewhere" }]);
    const id = idIn((await carryon.call(["resume", first])).stdout);
    const seen = (event: string, payload: JsonObject) =>
      putSeen(join(carryon.folder, "home"), { event, session: id, at: new Date(), payload });
    await seen("SessionStart", { source: "resume", cwd: "/nowhere" });
    await seen("UserPromptSubmit", { prompt: "killed at once", prompt_id: "p1", cwd: "/nowhere" });
    expect(await sync(carryon)).toEqual(quiet);
    expect(await carryon.ask(["show", first])).toContain("killed at once");
    expect(JSON.parse(await carryon.ask(["sessions", "--json"])).sessions).toHaveLength(1);
  });

  it("records nothing of it after the session was deleted", async () => {
    await using carryon = await openCarryon();
    await record(carryon, first, "first");
    await carryon.ask(["append", "--session", first], [{ role: "user", text: "from elsewhere" }]);
    const path = await transcriptOf(carryon, idIn((await carryon.call(["resume", first])).stdout));
    await carryon.ask(["delete", first, "--yes"]);
    await goOn(path, "more");
    expect(JSON.parse(await carryon.ask(["sync", "--json"]))).toMatchObject({
      ...{ sessions: 0, deleted: [{ session: first, entries: 2 }] },
    });
  });
});

describe("carryon resume of a session that Claude Code never knew", () => {
  const cases = [
    {
      case: "a fork that has messages of its own",
      prepare: async (carryon: Carryon) => {
        await record(carryon, first, "first");
        const fork = (await carryon.ask(["fork", first])).trim();
        await carryon.ask(["append", "--session", fork], [{ role: "user", text: "mine" }]);
        return fork;
      },
      talk: ["first", "mine"],
    },
    {
      case: "a fork of a fork that ends before its origin does",
      prepare: async (carryon: Carryon) => {
        const path = await record(carryon, first, "first");
        const fork = (await carryon.ask(["fork", first])).trim();
        const again = (await carryon.ask(["fork", fork])).trim();
        await goOn(path, "more");
        await carryon.ask(["sync"]);
        return again;
      },
      talk: ["first"],
    },
    {
      case: "a session that no client wrote",
      prepare: (carryon: Carryon) => carryon.record("hello"),
      talk: ["hello"],
    },
  ];

  it.each(cases)("writes $case, and records in it what the client adds", async ({ prepare, talk }) => {
    await using carryon = await openCarryon();
    const session = await prepare(carryon);
    const count = JSON.parse(await carryon.ask(["sessions", "--json"])).sessions.length;
    const { code, stdout, stderr } = await carryon.call(["resume", session]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("has no transcript of this session: it was written"),
    ]);
    await goOn(await transcriptOf(carryon, idIn(stdout)), "work");
    expect(await sync(carryon)).toEqual(quiet);
    expect(await talkOf(carryon, session)).toEqual([...talk, "work", "Did work"]);
    expect(JSON.parse(await carryon.ask(["sessions", "--json"])).sessions).toHaveLength(count);
  });

  it("goes on in a fork at once", async () => {
    await using carryon = await openCarryon();
    const path = await record(carryon, first, "first");
    for (const text of ["second", "third"]) await goOn(path, text);
    await sync(carryon);
    const title = ["--title", "From four"];
    const { code, stdout, stderr } = await carryon.call(["fork", first, "--at", "4", "--resume", ...title]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^cd <folder>\/work && claude --resume=\S+\n$/),
    ]);
    expect(stderr).toMatch(/^The fork is session \S+\.\n.* Kept: 2 prompts, 1 answer\.\n$/s);
    const { sessions } = JSON.parse(await carryon.ask(["sessions", "--json"]));
    const fork = (sessions as readonly { id: string }[]).find(({ id }) => id !== first)?.id ?? "";
    const written = await transcriptOf(carryon, idIn(stdout));
    expect((await readRows(written)).find(({ type }) => type === "ai-title")?.aiTitle).toBe("From four");
    // The title is no news, and what follows it does so also where it was read before.
    expect(await sync(carryon)).toEqual(quiet);
    await goOn(written, "more");
    expect(await sync(carryon)).toEqual(quiet);
    const talk = ["first", "second", "Did second", "more", "Did more"];
    expect(await talkOf(carryon, fork)).toEqual(talk);
  });
});
