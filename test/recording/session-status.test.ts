import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type EndSigns, judgeEnd, judgeStatus, type Signs } from "../../src/recording/intake/judge-status.ts";
import { start } from "../support/child.ts";
import { type ClientFolder, openClientFolder } from "../support/client-folder.ts";
import {
  answered,
  called,
  callSeen,
  minute,
  prompt,
  promptSeen,
  row,
  seen,
  session,
} from "../support/hooked-session.ts";

async function statusOf(client: ClientFolder): Promise<unknown> {
  return (await client.read())[session]?.session.status;
}

/** Writes what the client says of one of its processes. */
async function list(client: ClientFolder, pid: number, more: object = {}): Promise<string> {
  const path = join(client.path, "sessions", `${pid}.json`);
  await mkdir(join(client.path, "sessions"), { recursive: true });
  await writeFile(path, JSON.stringify({ pid, sessionId: session, ...more }));
  return path;
}

const nextYear = new Date(Date.UTC(2027, 0));

describe("the status of a session", () => {
  it("is ended when a hook told so, and open again when it goes on", async () => {
    await using client = await openClientFolder();
    const path = await client.write(session, prompt + answered);
    await client.hook(seen("SessionEnd", 4, { reason: "other" }));
    await client.sync({ now: nextYear });
    expect((await client.read())[session]).toMatchObject({
      session: { status: "ended", endedAt: minute(4) },
      entries: [{ id: "row-1" }, { id: "row-3" }, { event: "ended", data: { reason: "other" } }],
    });
    await client.hook(seen("SessionStart", 5, { source: "resume" }));
    await client.sync();
    expect(await statusOf(client)).toBe("open");
    await client.hook(seen("SessionEnd", 6));
    await appendFile(path, row(7, { type: "user", message: { role: "user", content: "more" } }, "row-3"));
    await client.sync();
    expect(await statusOf(client)).toBe("open");
  });

  it("is interrupted when a hook told of an end in the middle of a turn, as when the terminal is closed", async () => {
    await using client = await openClientFolder();
    await client.write(session, prompt + called);
    for (const each of [promptSeen, callSeen, seen("SessionEnd", 4, { reason: "other" })])
      await client.hook(each);
    await client.sync();
    expect((await client.read())[session]).toMatchObject({
      session: { status: "interrupted", endedAt: minute(4) },
      entries: [{ id: "row-1" }, { id: "row-2" }, { event: "interrupted", data: { reason: "other" } }],
    });
  });

  it("is interrupted when the last prompt is in no transcript, although the turn before it is over", async () => {
    await using client = await openClientFolder();
    await client.write(session, prompt + answered);
    await client.hook(promptSeen);
    await client.hook(seen("Stop", 3));
    await client.sync();
    await client.hook(seen("UserPromptSubmit", 4, { prompt: "more", prompt_id: "prompt-2" }));
    await client.hook(seen("SessionEnd", 5, { reason: "other" }));
    await client.sync();
    expect(await statusOf(client)).toBe("interrupted");
  });

  it("is open while the client's process is there, and interrupted as soon as it is gone", async () => {
    await using client = await openClientFolder();
    await using child = start("cat", []);
    await list(client, child.pid);
    await client.write(session, prompt + called);
    await client.sync({ now: nextYear });
    expect(await statusOf(client)).toBe("open");
    child.kill("SIGKILL");
    await child.ended();
    await client.sync();
    expect(await statusOf(client)).toBe("interrupted");
    expect(await client.sync()).toMatchObject({ added: 0, changed: 0 });
  });

  it("waits for the transcript of a living client, which says more, but not for long", async () => {
    await using client = await openClientFolder();
    await using child = start("cat", []);
    await list(client, child.pid);
    await client.hook(promptSeen);
    const soon = new Date(minute(1).getTime() + 9000);
    expect(await client.sync({ now: soon })).toMatchObject({ items: 0, sessions: 0 });
    const late = new Date(minute(1).getTime() + 10_000);
    expect(await client.sync({ now: late })).toMatchObject({ items: 1, sessions: 1 });
    expect(await statusOf(client)).toBe("open");
  });

  it("waits for the parent of a row that a living client has just written, but not for long", async () => {
    await using client = await openClientFolder();
    await using child = start("cat", []);
    await list(client, child.pid);
    const path = await client.write(session, answered);
    const soon = new Date(minute(3).getTime() + 9000);
    expect(await client.sync({ now: soon })).toMatchObject({ sessions: 0, added: 0, orphans: [] });
    await appendFile(path, prompt);
    expect(await client.sync({ now: soon })).toMatchObject({ sessions: 1, added: 2, orphans: [] });
    const { entries } = (await client.read())[session] ?? {};
    expect(entries?.map(({ id, parent }) => [id, parent])).toEqual([
      ["row-1", null],
      ["row-3", "row-1"],
    ]);
    await appendFile(path, row(4, { type: "user", message: { content: "more" } }, "never"));
    expect(await client.sync({ now: minute(5) })).toMatchObject({ added: 1, orphans: [{ entry: "row-4" }] });
  });

  it("is not open again for a fork that begins in the name of its origin", async () => {
    await using client = await openClientFolder();
    await list(client, 2 ** 30, { sessionId: "the-fork" });
    await client.write(session, prompt + answered);
    await client.hook(seen("SessionEnd", 4));
    await client.hook(seen("SessionStart", 5, { source: "resume" }));
    await client.sync();
    expect(await statusOf(client)).toBe("ended");
  });

  it("is interrupted when another process has the number of the client's", async () => {
    await using client = await openClientFolder();
    await list(client, process.pid, { procStart: "1" });
    await client.write(session, prompt + called);
    await client.sync();
    expect(await statusOf(client)).toBe(process.platform === "linux" ? "interrupted" : "open");
  });

  it("stays open for a process that cannot be seen from here, and for a list that is being written", async () => {
    await using client = await openClientFolder();
    const path = await list(client, 1, { pidDomain: "linux:elsewhere:pid:[1]" });
    await client.write(session, prompt + called);
    await client.sync();
    expect(await statusOf(client)).toBe(process.platform === "linux" ? "open" : "interrupted");
    await writeFile(path, "{");
    await client.sync({ now: minute(3) });
    await rm(path);
    expect(await statusOf(client)).toBe(process.platform === "linux" ? "open" : "interrupted");
  });

  it("is what the turn says for an old session that no hook has seen", async () => {
    await using client = await openClientFolder();
    await client.write(session, prompt + called);
    await client.write("done", prompt + answered);
    await client.sync({ now: nextYear });
    const stored = await client.read();
    expect([stored[session]?.session.status, stored.done?.session.status]).toEqual(["interrupted", "ended"]);
    expect(stored.done?.session.endedAt).toEqual(new Date(minute(3).getTime() + 1));
  });

  it("is interrupted for a prompt that no transcript has", async () => {
    await using client = await openClientFolder();
    await client.hook(promptSeen);
    await client.sync();
    expect(await statusOf(client)).toBe("open");
    await client.sync({ now: nextYear });
    expect(await statusOf(client)).toBe("interrupted");
  });
});

it("is said once of a session that only hooks have seen, although its transcript has rows", async () => {
  await using client = await openClientFolder();
  await client.write(session, row(0, { type: "attachment", attachment: { type: "skill_listing" } }));
  await client.hook(promptSeen);
  for (let time = 0; time < 3; time += 1) await client.sync({ now: nextYear });
  const { entries } = (await client.read())[session] ?? {};
  expect(entries?.map((entry) => entry.kind === "event" && entry.event)).toEqual([
    "prompt-seen",
    "interrupted",
  ]);
});

const hour = 3_600_000;
const signs: Signs = {
  ...{ listed: undefined, updatedAt: minute(0), now: minute(0), turn: "done", lastEvent: null },
};
const after = (ms: number) => new Date(minute(0).getTime() + ms);

it.each<{ case: string; given: Partial<Signs>; status: string }>([
  { case: "has just been written", given: {}, status: "open" },
  { case: "was silent for hours", given: { now: after(11 * hour) }, status: "open" },
  { case: "was silent for a day", given: { now: after(24 * hour) }, status: "ended" },
  {
    case: "was silent for a day in a turn",
    given: { now: after(24 * hour), turn: "running" },
    status: "interrupted",
  },
  { case: "lives, however silent", given: { now: after(9999 * hour), listed: "alive" }, status: "open" },
  { case: "is not listed yet", given: { now: after(60_000), listed: "unlisted" }, status: "open" },
  { case: "is not listed any more", given: { now: after(hour), listed: "unlisted" }, status: "ended" },
  { case: "cannot be seen", given: { now: after(hour), listed: "unknown" }, status: "open" },
  {
    case: "was killed between turns, as hooks know",
    given: { listed: "gone", lastEvent: "Stop" },
    status: "interrupted",
  },
  { case: "was only started", given: { listed: "gone", lastEvent: "SessionStart" }, status: "ended" },
])("judges a session that $case", ({ given, status }) => {
  expect(judgeStatus({ ...signs, ...given })).toBe(status);
});

it.each<EndSigns & { case: string; status: string }>([
  {
    case: "was left by its user",
    reason: "prompt_input_exit",
    lastEvent: "PreToolUse",
    turn: "running",
    status: "ended",
  },
  {
    case: "ended with a client that gives no reason",
    reason: null,
    lastEvent: "PreToolUse",
    turn: "running",
    status: "ended",
  },
  {
    case: "was done, as a run without a terminal is",
    reason: "other",
    lastEvent: "Stop",
    turn: "running",
    status: "ended",
  },
  {
    case: "was cut off in a turn",
    reason: "other",
    lastEvent: "PreToolUse",
    turn: "running",
    status: "interrupted",
  },
  {
    case: "was cut off before its transcript was read",
    reason: "other",
    lastEvent: "UserPromptSubmit",
    turn: null,
    status: "interrupted",
  },
  {
    case: "was closed after its user had stopped the turn",
    reason: "other",
    lastEvent: "PreToolUse",
    turn: "done",
    status: "ended",
  },
  {
    case: "was closed before the first prompt",
    reason: "other",
    lastEvent: "SessionStart",
    turn: null,
    status: "ended",
  },
])("judges a session that $case", ({ status, ...given }) => {
  expect(judgeEnd(given)).toBe(status);
});
