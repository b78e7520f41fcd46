import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { setPrivate } from "../../src/recording/set-private.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { type ClientFolder, openClientFolder } from "../support/client-folder.ts";
import { minute, prompt, promptSeen, row, seen, session } from "../support/hooked-session.ts";

const said = (number: number, content: string, parent: string) =>
  row(number, { type: "user", message: { role: "user", content } }, parent);

async function turnOff({ home }: ClientFolder, folder: string): Promise<void> {
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "config.yaml"), `record:\n  ${folder}: off\n`);
}

async function setAt({ home, path }: ClientFolder, number: number, recording: "off" | "on"): Promise<void> {
  await setPrivate(home, { session, recording, at: minute(number), client: path });
}

/** Returns all that the home folder holds of sessions, as text. */
async function readAll(client: ClientFolder): Promise<string> {
  const stored = JSON.stringify(await client.read());
  await using store = await openStore(client.home);
  const states = Object.keys(await client.read()).map((id) => store.ingestion.states(id as never));
  return stored + JSON.stringify(await Promise.all(states));
}

describe("what the user does not want to be recorded", () => {
  it("is not taken from transcripts nor from the inbox, where its folder is turned off", async () => {
    await using client = await openClientFolder();
    await turnOff(client, "/home/me");
    await client.write(session, prompt);
    await client.hook(promptSeen);
    await client.hook(seen("Stop", 2));
    expect(await client.sync()).toMatchObject({ sessions: 0, added: 0, leftOut: 1, failed: [] });
    expect(await client.read()).toEqual({});
    await using store = await openStore(client.home);
    expect(await store.inbox.take(10)).toEqual([]);
  });

  it("is left out row by row where a session goes there", async () => {
    await using client = await openClientFolder();
    await turnOff(client, "/home/me/secret");
    const there = { type: "user", cwd: "/home/me/secret", message: { role: "user", content: "hush" } };
    await client.write(session, prompt + row(2, there, "row-1") + said(3, "back again", "row-2"));
    await client.sync();
    expect((await client.read())[session]?.entries).toMatchObject([
      { id: "row-1", parent: null },
      { id: "row-3", parent: "row-1" },
    ]);
    expect(await readAll(client)).not.toContain("hush");
  });

  it("is nothing of a session from the moment on at which it became private, and again after it", async () => {
    await using client = await openClientFolder();
    const path = await client.write(session, prompt);
    await client.sync();
    await setAt(client, 2, "off");
    const last = { type: "last-prompt", lastPrompt: "hush hush", leafUuid: "row-3" };
    await appendFile(path, `${said(3, "hush", "row-1")}${JSON.stringify(last)}\n`);
    await client.hook(seen("UserPromptSubmit", 3, { prompt: "hush", prompt_id: "prompt-3" }));
    await client.sync();
    await appendFile(path, `${JSON.stringify({ type: "ai-title", aiTitle: "A hush" })}\n`);
    await client.sync();
    await setAt(client, 5, "on");
    await appendFile(path, said(4, "hush", "row-3") + said(6, "You may hear this.", "row-4"));
    await client.sync();
    const stored = (await client.read())[session];
    expect(stored?.entries).toMatchObject([{ id: "row-1" }, { id: "row-6", parent: "row-1" }]);
    expect(stored?.session.title).toBe("hello");
    expect(await readAll(client)).not.toContain("hush");
    expect(await client.sync()).toMatchObject({ added: 0 });
  });

  it("is nothing that comes while it is private, also where it says an earlier time", async () => {
    await using client = await openClientFolder();
    const path = await client.write(session, prompt);
    await setAt(client, 5, "off");
    await appendFile(path, said(2, "hush", "row-1"));
    await client.sync();
    await appendFile(path, said(3, "hush again", "row-2"));
    await setAt(client, 6, "on");
    await appendFile(path, said(7, "You may hear this.", "row-3"));
    await client.sync();
    expect((await client.read())[session]?.entries).toMatchObject([
      { id: "row-1" },
      { id: "row-7", parent: "row-1" },
    ]);
    expect(await readAll(client)).not.toContain("hush");
  });

  it("changes once when the same is wished for twice", async () => {
    await using client = await openClientFolder();
    const wish = { session, recording: "off", at: minute(1), client: client.path } as const;
    expect(await setPrivate(client.home, wish)).toBe("changed");
    expect(await setPrivate(client.home, { ...wish, at: minute(2) })).toBe("unchanged");
    expect(await setPrivate(client.home, { ...wish, at: minute(3), recording: "on" })).toBe("changed");
    await expect(setPrivate(client.home, { ...wish, session: "../escape" })).rejects.toMatchObject({
      code: "invalid-id",
    });
  });
});
