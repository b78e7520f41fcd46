import { appendFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parseSessionId } from "../../src/sessions/ids.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { type ClientFolder, openClientFolder } from "../support/client-folder.ts";
import {
  answered,
  called,
  callSeen,
  minute,
  prompt,
  promptSeen,
  session,
} from "../support/hooked-session.ts";

async function erase(client: ClientFolder, at: Date): Promise<void> {
  await using store = await openStore(client.home);
  await store.log.delete(parseSessionId(session), at);
}

/** Takes a session of one prompt in and deletes it in the minute of the prompt. */
async function openErased(): Promise<ClientFolder> {
  const client = await openClientFolder();
  await client.write(session, prompt);
  await client.sync();
  await erase(client, minute(1));
  return client;
}

describe("a session that was deleted", () => {
  it("stays deleted, and what goes on in it is told at every sync", async () => {
    await using client = await openErased();
    expect(await client.sync()).toMatchObject({ leftOut: 1, deleted: [], sessions: 0 });
    await appendFile(client.locate(session), called + answered);
    const told = { leftOut: 1, deleted: [{ session, entries: 2 }], sessions: 0, added: 0, failed: [] };
    for (let time = 0; time < 2; time += 1) expect(await client.sync()).toMatchObject(told);
    expect(await client.read()).toEqual({});
  });

  it("is told of where only news is asked for, when a hook has told of it", async () => {
    await using client = await openErased();
    await appendFile(client.locate(session), called);
    expect(await client.sync({ recorded: true })).toMatchObject({ leftOut: 1, deleted: [] });
    await client.hook(callSeen);
    expect(await client.sync({ recorded: true })).toMatchObject({
      ...{ leftOut: 1, items: 1, deleted: [{ session, entries: 1 }] },
    });
  });

  it("is told of by what hooks saw after it was deleted, where it has no transcript", async () => {
    await using client = await openClientFolder();
    await client.hook(promptSeen);
    await client.sync();
    await erase(client, minute(1));
    await client.hook(promptSeen);
    expect(await client.sync()).toMatchObject({ items: 1, deleted: [] });
    await client.hook(callSeen);
    expect(await client.sync()).toMatchObject({ items: 1, deleted: [{ session, entries: 1 }] });
    expect(await client.read()).toEqual({});
  });

  it("is recorded where it goes on in a fork", async () => {
    await using client = await openErased();
    await client.write("fork", (prompt + answered).replaceAll(session, "fork"));
    expect(await client.sync()).toMatchObject({ sessions: 1, added: 2, deleted: [] });
  });
});
