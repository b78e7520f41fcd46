import { appendFile, readFile, rename, utimes, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../../src/sessions/ids.ts";
import { openStore } from "../../../src/storage/open-store.ts";
import { fixture, read, sessionOfClient } from "../../support/claude-transcripts.ts";
import { nothingUnusual, openClientFolder } from "../../support/client-folder.ts";
import { later, newSession } from "../../support/entries.ts";

const titledId = "11111111-1111-4111-8111-111111111111";
const forkedId = "22222222-2222-4222-8222-222222222222";

const said = (content: string) => ({ role: "user", content });

describe("sync of Claude Code's transcripts", () => {
  it("takes a session in with what its rows say of it, and adds nothing the second time", async () => {
    await using client = await openClientFolder();
    await client.copy("2.1.325/titled.jsonl", titledId);
    const { entries, state } = read(fixture("2.1.325/titled"));
    const nothing = { ...nothingUnusual, transcripts: 1, changed: 0, sessions: 0, added: 0 };
    expect(await client.sync()).toEqual({ ...nothing, changed: 1, sessions: 1, added: entries.length });
    expect(await client.sync()).toEqual(nothing);
    const { [titledId]: stored } = await client.read();
    expect(stored?.session).toMatchObject({
      ...{ id: titledId, client: "claude-code", clientSessionId: titledId, machine: "here", status: "open" },
      ...{ cwd: "/home/me/my_proj.v2", projectName: "my_proj.v2", title: state.facts.title },
      startedAt: new Date(state.facts.startedAt ?? 0),
    });
    expect(stored?.entries.map(({ session, seq, strand, ...entry }) => entry)).toEqual(entries);
  });

  it("does not open a transcript again that nobody has written to", async () => {
    await using client = await openClientFolder();
    const row = (content: string) =>
      `${JSON.stringify({ type: "user", uuid: content, parentUuid: null, message: said(content) })}\n`;
    const path = await client.write(titledId, row("one"));
    await utimes(path, 1000, 1000);
    expect(await client.sync()).toMatchObject({ changed: 1 });
    // As long as before, and of the same time: only its content tells.
    await writeFile(path, row("two"));
    await utimes(path, 1000, 1000);
    expect(await client.sync()).toMatchObject({ changed: 0 });
    await utimes(path, 1000, 1001);
    expect(await client.sync()).toMatchObject({ changed: 1 });
  });

  it("opens a transcript that hooks told of, whatever its time says", async () => {
    await using client = await openClientFolder();
    const row = (content: string) =>
      `${JSON.stringify({ type: "user", uuid: content, parentUuid: null, message: said(content) })}\n`;
    const path = await client.write(titledId, row("one"));
    await utimes(path, 1000, 1000);
    await client.sync();
    await writeFile(path, row("two"));
    await utimes(path, 1000, 1000);
    await client.hook({ event: "Stop", session: titledId, at: later(0) });
    expect(await client.sync()).toMatchObject({ changed: 1 });
  });

  it("puts the transcript of a subagent on a strand of the session", async () => {
    await using client = await openClientFolder();
    await client.copy("2.1.325/printed.jsonl", sessionOfClient);
    await client.copy("2.1.325/subagent.jsonl", "", `${sessionOfClient}/subagents/agent-a1.jsonl`);
    expect(await client.sync()).toMatchObject({ transcripts: 2, changed: 2, sessions: 1, failed: [] });
    const { [sessionOfClient]: stored } = await client.read();
    expect(new Set(stored?.entries.map(({ strand }) => strand)).size).toBe(2);
  });

  it("makes a fork of the client a fork of its origin, and stores what they share once", async () => {
    await using client = await openClientFolder();
    await client.copy("2.1.325/titled.jsonl", titledId);
    await client.copy("2.1.325/forked.jsonl", forkedId);
    expect(await client.sync()).toMatchObject({ sessions: 2, forks: 1, orphans: [], failed: [] });
    const { [titledId]: origin, [forkedId]: fork } = await client.read();
    const shared = fork?.entries.filter(({ session }) => session === titledId) ?? [];
    expect(fork?.session).toMatchObject({
      clientSessionId: forkedId,
      forkedFrom: { session: titledId, entry: shared.at(-1)?.id },
    });
    expect(shared).toEqual(origin?.entries.slice(0, shared.length));
    const ids = new Set(fork?.entries.map(({ id }) => id));
    const missing = read(fixture("2.1.325/forked")).entries.filter(({ id }) => !ids.has(id));
    expect([ids.size, missing]).toEqual([fork?.entries.length, []]);
  });

  it("finds the origin of each of several forks, not one that is a fork like it", async () => {
    await using client = await openClientFolder();
    const origin = await client.copy("2.1.325/titled.jsonl", titledId);
    const shared = await readFile(origin, "utf8");
    // Older than its forks, however short the tick is in which files have the same time.
    await utimes(origin, 1000, 1000);
    // Their names are before and behind that of their origin.
    const forks = ["00000000-0000-4000-8000-000000000000", "99999999-9999-4999-8999-999999999999"];
    for (const fork of forks) {
      const own = {
        type: "user",
        uuid: `own-${fork}`,
        parentUuid: null,
        sessionId: fork,
        message: said(fork),
      };
      const rows = `${shared.replaceAll(titledId, fork)}${JSON.stringify(own)}\n`;
      await client.write(fork, rows);
      await client.sync();
    }
    const all = await client.read();
    expect(forks.map((fork) => all[fork]?.session.forkedFrom?.session)).toEqual([titledId, titledId]);
  });

  it("leaves sessions out that no hook has told of, if only recorded ones are asked for", async () => {
    await using client = await openClientFolder();
    await client.copy("2.1.325/titled.jsonl", titledId);
    await client.copy("2.1.325/printed.jsonl", sessionOfClient);
    await client.hook({ event: "SessionStart", session: titledId, at: later(0) });
    expect(await client.sync({ recorded: true })).toMatchObject({ sessions: 1, leftOut: 1 });
    expect(await client.sync({ recorded: true })).toMatchObject({ sessions: 0, leftOut: 1, transcripts: 1 });
    expect(Object.keys(await client.read())).toEqual([titledId]);
  });

  it("makes a fork of the SDK a fork of its origin, and leaves the copies out", async () => {
    await using client = await openClientFolder();
    await client.copy("2.1.325/titled.jsonl", titledId);
    const sdk = "f95e2b29-0000-4000-8000-000000000000";
    const path = await client.copy("2.1.325/forked-by-sdk.jsonl", sdk);
    const [last] = fixture("2.1.325/forked-by-sdk")
      .filter(({ type }) => type === "assistant")
      .toReversed();
    expect(await client.sync()).toMatchObject({ sessions: 2, forks: 1, failed: [], orphans: [] });
    const row = { ...last, uuid: "own", parentUuid: last?.uuid, forkedFrom: undefined };
    await appendFile(path, `${JSON.stringify(row)}\n`);
    expect(await client.sync()).toMatchObject({ added: 1, changed: 1, orphans: [] });
    const copied = last?.forkedFrom as { messageUuid: string };
    const read = async () => (await client.read())[sdk];
    const before = await read();
    expect(before?.session.forkedFrom).toEqual({ session: titledId, entry: copied.messageUuid });
    expect(before?.entries.find(({ id }) => id === "own")).toMatchObject({ parent: expect.any(String) });
    const ids = before?.entries.map(({ id }) => id) ?? [];
    const parent = before?.entries.find(({ id }) => id === "own")?.parent;
    expect([ids.includes(parent as never), ids.includes(last?.uuid as never)]).toEqual([true, false]);
    // Written anew, it is read from its start, copies and all.
    const text = await readFile(path, "utf8");
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
    expect(await client.sync()).toMatchObject({ added: 0, changed: 1 });
    expect(await read()).toEqual(before);
  });

  it("keeps the first version of a row that a file written anew has otherwise, and reports it", async () => {
    await using client = await openClientFolder();
    const rows = fixture("2.1.325/printed").filter(({ type }) => type !== "queue-operation");
    const [prompt] = rows.filter(({ type }) => type === "user");
    const render = (values: readonly object[]) => values.map((row) => `${JSON.stringify(row)}\n`).join("");
    await client.write(sessionOfClient, render(rows));
    await client.sync();
    const before = await client.read();
    const other = { ...prompt, message: { role: "user", content: "Something else altogether, and longer." } };
    await client.write(sessionOfClient, render(rows.map((row) => (row === prompt ? other : row))));
    expect(await client.sync()).toMatchObject({
      ...{ added: 0, changed: 1 },
      revised: [{ session: sessionOfClient, entry: prompt?.uuid, kept: "first" }],
    });
    expect(await client.read()).toEqual(before);
  });

  it("reports lines that hold no row, and leaves half a line for the next time", async () => {
    await using client = await openClientFolder();
    const [row, ...rows] = fixture("2.1.325/printed").map((each) => JSON.stringify(each));
    const text = [row, "{broken}", ...rows].join("\n");
    const path = await client.write(sessionOfClient, text.slice(0, -20));
    const reason = expect.any(String);
    expect(await client.sync()).toMatchObject({ rejected: [{ path, line: 2, reason }], failed: [] });
    await writeFile(path, `${text}\n`);
    expect(await client.sync()).toMatchObject({ rejected: [], changed: 1 });
    const { [sessionOfClient]: stored } = await client.read();
    expect(stored?.entries).toHaveLength(read(fixture("2.1.325/printed")).entries.length);
  });

  it("finds a parent that is so far back that the reader has forgotten it", async () => {
    await using client = await openClientFolder();
    const row = (number: number, parent: number | null) => ({
      ...{ type: "user", uuid: `row-${number}`, parentUuid: parent === null ? null : `row-${parent}` },
      ...{ timestamp: "2026-11-15T00:00:00.000Z", message: { content: `number ${number}` } },
    });
    const rows = Array.from({ length: 2100 }, (_, index) => row(index, index === 0 ? null : index - 1));
    // Of these nothing is recorded.
    for (const index of [7, 8]) rows[index] = { ...row(index, index - 1), type: "progress" };
    const render = (values: readonly object[]) => values.map((each) => `${JSON.stringify(each)}\n`).join("");
    const path = await client.write(sessionOfClient, render(rows));
    await client.sync();
    await appendFile(path, render([row(5000, 3), row(5002, 8), row(5001, 9999)]));
    expect(await client.sync()).toMatchObject({
      added: 3,
      orphans: [{ entry: "row-5001", parent: "row-9999" }],
    });
    const { [sessionOfClient]: stored } = await client.read();
    expect(stored?.entries.slice(-3).map(({ parent }) => parent)).toEqual(["row-3", "row-6", "row-5002"]);
  });

  it("leaves sessions out that are older than asked for, or of another project", async () => {
    await using client = await openClientFolder();
    const path = await client.copy("2.1.325/titled.jsonl", titledId);
    await utimes(path, later(0), later(0));
    expect(await client.sync({ since: later(1) })).toMatchObject({ transcripts: 0, leftOut: 1 });
    expect(await client.sync({ folder: client.home })).toMatchObject({ transcripts: 0, leftOut: 1 });
    expect(await client.sync({ folder: "/home/me/my_proj.v2" })).toMatchObject({ sessions: 1, leftOut: 0 });
  });

  it("does not bring a deleted session back, and takes the others in", async () => {
    await using client = await openClientFolder();
    await client.copy("2.1.325/titled.jsonl", titledId);
    await client.sync();
    {
      await using store = await openStore(client.home);
      await store.log.delete(parseSessionId(titledId), later(0));
    }
    await client.copy("2.1.325/printed.jsonl", sessionOfClient);
    expect(await client.sync()).toMatchObject({
      ...{ sessions: 1, leftOut: 1, failed: [] },
    });
    expect(Object.keys(await client.read())).toEqual([sessionOfClient]);
  });

  it("leaves a session alone that somebody else has made under the same id", async () => {
    await using client = await openClientFolder();
    await client.copy("2.1.325/titled.jsonl", titledId);
    {
      await using store = await openStore(client.home);
      const { id } = await store.projects.recognise({ identities: ["path:/x"], name: "x" });
      await store.log.open(newSession(titledId, id, { client: "carryon-append" }));
    }
    expect(await client.sync()).toMatchObject({ sessions: 0, failed: [{ code: "session-conflict" }] });
    expect((await client.read())[titledId]?.entries).toEqual([]);
  });

  it("keeps secrets of titles, prompts and folders out of the store", async () => {
    await using client = await openClientFolder();
    const token = `ghp_${"Ab3dEf9hIj".repeat(3)}Kl2mNo`;
    const rows = [
      {
        type: "user",
        uuid: "a",
        parentUuid: null,
        cwd: `/home/${token}`,
        gitBranch: token,
        message: { content: "x" },
      },
      { type: "custom-title", customTitle: `about ${token}` },
      { type: "last-prompt", lastPrompt: token, leafUuid: "a" },
    ].map((row) => ({ timestamp: "2026-11-15T12:00:00.000Z", ...row }));
    const text = rows.map((row) => `${JSON.stringify(row)}\n`).join("");
    const path = await client.write(sessionOfClient, text);
    await client.sync();
    await using store = await openStore(client.home);
    const bookmark = await store.ingestion.find({ client: "claude-code", path });
    expect(await bookmark?.state()).not.toContain(token);
    expect(JSON.stringify(await client.read())).not.toContain(token);
    // The client says the title again with every prompt; it is no news.
    await appendFile(path, `${JSON.stringify(rows[1])}\n`);
    expect(await client.sync()).toMatchObject({ changed: 1, added: 0 });
  });
});
