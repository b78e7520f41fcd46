import { appendFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseEntryId, parseSessionId } from "../../src/sessions/ids.ts";
import { readShown } from "../../src/sessions/observations.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { type ClientFolder, openClientFolder } from "../support/client-folder.ts";
import { collect } from "../support/entries.ts";
import {
  called,
  callSeen,
  minute,
  prompt,
  promptSeen,
  row,
  seen,
  session,
} from "../support/hooked-session.ts";

/** What somebody sees who reads the session, in few words. */
async function shown(client: ClientFolder): Promise<readonly unknown[]> {
  const stored = (await client.read())[session];
  return (stored?.shown ?? []).map((entry) => (entry.kind === "event" ? entry.event : entry.id));
}

describe("what hooks saw", () => {
  it("is shown as long as the transcript does not have it", async () => {
    await using client = await openClientFolder();
    for (const each of [promptSeen, callSeen]) await client.hook(each);
    expect(await client.sync()).toMatchObject({ items: 2, sessions: 1, added: 2, transcripts: 0 });
    expect((await client.read())[session]).toMatchObject({
      session: { client: "claude-code", clientSessionId: session, cwd: "/home/me", startedAt: minute(1) },
      shown: [
        { strand: "hooks", event: "prompt-seen", at: minute(1), data: { prompt: "hello" } },
        {
          ...{ strand: "hooks", event: "call-seen", at: minute(2) },
          data: { tool: "Bash", input: { command: "ls" } },
        },
      ],
    });
    const path = await client.write(session, prompt);
    await client.sync();
    expect(await shown(client)).toEqual(["call-seen", "row-1"]);
    await appendFile(path, called);
    await client.sync();
    expect(await shown(client)).toEqual(["row-1", "row-2"]);
    expect(await client.sync()).toMatchObject({ items: 0, added: 0 });
  });

  it("gives a session that was killed before it was written its title, which it keeps", async () => {
    await using client = await openClientFolder();
    await client.hook(seen("SessionStart", 0));
    await client.hook(promptSeen);
    const nextYear = new Date(Date.UTC(2027, 0));
    await client.sync({ now: nextYear });
    const known = { title: "hello", status: "interrupted", messages: 0, cwd: "/home/me" };
    expect((await client.read())[session]?.session).toMatchObject(known);
    await client.write(session, prompt);
    await client.sync({ now: nextYear });
    expect((await client.read())[session]?.session).toMatchObject({ ...known, messages: 1 });
    expect(await shown(client)).toEqual(["interrupted", "row-1"]);
  });

  it("is not shown in a fork of the session", async () => {
    await using client = await openClientFolder();
    await client.hook(promptSeen);
    await client.sync();
    await client.write(session, prompt);
    await client.sync();
    await using store = await openStore(client.home);
    const id = parseSessionId("fork");
    const at = { machine: "here", cwd: "/", startedAt: minute(9) };
    // Up to the row itself: the note that it was found comes after it.
    await store.log.fork({ id, from: parseSessionId(session), at: parseEntryId("row-1"), ...at });
    const entries = await collect(readShown(store.log, id));
    expect(entries.map((entry) => entry.id)).toEqual(["row-1"]);
  });

  it("leaves nothing where the transcript was read before", async () => {
    await using client = await openClientFolder();
    await client.write(session, prompt + called);
    await client.sync();
    for (const each of [promptSeen, callSeen, seen("Stop", 3)]) await client.hook(each);
    expect(await client.sync()).toMatchObject({ items: 3, added: 0 });
    expect((await client.read())[session]?.entries.map(({ id }) => id)).toEqual(["row-1", "row-2"]);
  });

  it("is recorded once, although two installed hooks told it, one of them through the spool", async () => {
    await using client = await openClientFolder();
    await client.hook(promptSeen);
    await client.hook({ ...promptSeen, at: minute(2), to: "spool" });
    expect(await client.sync()).toMatchObject({ items: 2, added: 1 });
    expect(await shown(client)).toEqual(["prompt-seen"]);
  });

  it("tells of subagents, whose transcripts are their own", async () => {
    await using client = await openClientFolder();
    await client.write(session, prompt);
    await client.hook(callSeen);
    await client.sync();
    expect(await shown(client)).toEqual(["row-1", "call-seen"]);
    await client.write(`${session}/subagents/agent-a1`, called.replace('"row-1"', "null"));
    await client.sync();
    expect(await shown(client)).toEqual(["row-1", "row-2"]);
  });

  it("is not shown beside what a long turn wrote, however many calls it had", async () => {
    await using client = await openClientFolder();
    const rows = [prompt];
    for (let number = 2; number < 162; number += 2) {
      const [call, result] = [`row-${number}`, `row-${number + 1}`];
      const id = `toolu_${number}`;
      const used = { type: "tool_use", id, name: "Bash", input: {} };
      const got = { type: "tool_result", tool_use_id: id, content: "ok" };
      const fields = {
        type: "assistant",
        message: { id: `m-${number}`, role: "assistant", content: [used] },
      };
      rows.push(
        row(number, { ...fields, uuid: call, timestamp: minute(2).toISOString() }, `row-${number - 1}`),
      );
      const back = { type: "user", message: { role: "user", content: [got] } };
      rows.push(row(number, { ...back, uuid: result, timestamp: minute(2).toISOString() }, call));
      for (const event of ["PreToolUse", "PostToolUse"])
        await client.hook(seen(event, 2, { tool_name: "Bash", tool_use_id: id }));
    }
    await client.hook(promptSeen);
    await client.write(session, rows.join(""));
    expect(await client.sync()).toMatchObject({ items: 161, added: 161 });
    expect((await client.read())[session]?.entries.filter(({ strand }) => strand === "hooks")).toEqual([]);
  });

  it("makes no session of one that only began and ended", async () => {
    await using client = await openClientFolder();
    for (const event of ["SessionStart", "Stop", "SessionEnd"]) await client.hook(seen(event, 1));
    expect(await client.sync()).toMatchObject({ items: 3, sessions: 0 });
    expect([await client.read(), await client.sync()]).toMatchObject([{}, { items: 0 }]);
  });

  it("is forgotten for a session that was deleted, and for what is no session", async () => {
    await using client = await openClientFolder();
    await client.write(session, prompt);
    await client.sync();
    {
      await using store = await openStore(client.home);
      await store.log.delete(parseSessionId(session), minute(5));
    }
    await client.hook(promptSeen);
    await client.hook({ ...promptSeen, session: "../x" });
    expect(await client.sync()).toMatchObject({ items: 2, added: 0, sessions: 0 });
    expect([await client.read(), await client.sync()]).toMatchObject([{}, { items: 0 }]);
  });

  it("leads to a transcript in another folder of the client", async () => {
    await using client = await openClientFolder();
    await using other = await openClientFolder();
    const path = await other.write(session, prompt);
    await client.hook({ ...promptSeen, payload: { ...promptSeen.payload, transcript_path: path } });
    expect(await client.sync({ below: "/elsewhere" })).toMatchObject({ items: 1, transcripts: 1 });
    expect(await shown(client)).toEqual(["row-1"]);
  });

  it("is read where only one folder is asked for, together with what was written there", async () => {
    await using client = await openClientFolder();
    await client.write(session, prompt, "-home-me-sub");
    await client.write("elsewhere", prompt, "-home-you");
    expect(await client.sync({ below: "/home/me" })).toMatchObject({ transcripts: 1, sessions: 1 });
    expect(Object.keys(await client.read())).toEqual([session]);
  });
});
