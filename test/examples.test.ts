import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { expect, it, vi } from "vitest";
import { resumeInNotebook } from "../examples/add-a-client.ts";
import { handOver } from "../examples/hand-over.ts";
import { printWorkstreams } from "../examples/read-workstreams.ts";
import { recordASession } from "../examples/record-a-session.ts";
import { satisfyGates } from "../examples/satisfy-gates.ts";
import { saveWork } from "../examples/save-work.ts";
import { talkToAModel } from "../examples/talk-to-a-model.ts";
import { openStoreForReading } from "../src/index.ts";
import { openChatWorld } from "./support/chat-world.ts";
import { makeRepo } from "./support/git-repo.ts";
import { tempDir } from "./support/temp-dir.ts";

it("records a session and reads it back", async () => {
  await using dir = await tempDir();
  const print = vi.spyOn(console, "log").mockReturnValue(undefined);
  await recordASession(dir.join("home"));
  expect(print.mock.calls).toEqual([[1, "message"]]);
  print.mockRestore();
  const store = await openStoreForReading(dir.join("home"));
  expect((await store.log.list()).sessions.map((session) => session.title)).toEqual(["Fix the login."]);
  await store[Symbol.asyncDispose]();
});

it("tells where the work of earlier sessions stands", async () => {
  await using dir = await tempDir();
  const print = vi.spyOn(console, "log").mockReturnValue(undefined);
  await recordASession(dir.join("home"));
  print.mockClear();
  await printWorkstreams(process.cwd(), dir.join("home"));
  const said = [...print.mock.calls];
  print.mockRestore();
  expect(said).toEqual([
    ["Fix the login.: interrupted"],
    ["Interrupted", 'Last request: "Fix the login."', [1]],
    ["Goal", "Fix the login.", [1]],
    ["State", "No commit was made in this session.", []],
    ['Go on with the interrupted request: "Fix the login."'],
  ]);
});

it("hands a session over and reads what the next one is told", async () => {
  await using dir = await tempDir();
  const print = vi.spyOn(console, "log").mockReturnValue(undefined);
  await handOver(dir.path, dir.join("home"));
  const [[said] = []] = print.mock.calls;
  print.mockRestore();
  expect(said).toContain("Next action (less than an hour old):\n  Write its tests\n");
  expect(said).toContain("Latest decisions (less than an hour old):\n  D1 ");
  expect(said).toContain("Knowledge buffer (less than an hour old):\n  [PATTERN] api: retry twice");
});

it("saves work and goes back to it", async () => {
  await using dir = await tempDir();
  const print = vi.spyOn(console, "log").mockReturnValue(undefined);
  await saveWork(dir.path, dir.join("home"));
  const said = print.mock.calls.flat();
  print.mockRestore();
  expect(said).toEqual([
    "0 files would be committed",
    `1 done, 2 left; in ${dir.join(".claude", "session-state.json")}`,
    "ALL_VALID",
    "Go on with: Check",
  ]);
});

it("satisfies the gates of a project for a session", async () => {
  await using dir = await tempDir();
  await makeRepo(dir.join("work"), ["first"]);
  await mkdir(dir.join("home", "client"), { recursive: true });
  const own = "requirements: { plan: { enabled: true }, reviewed: { enabled: true, scope: branch } }\n";
  await writeFile(dir.join("home", "client", "requirements.yaml"), own);
  const print = vi.spyOn(console, "log").mockReturnValue(undefined);
  await satisfyGates(dir.join("work"), dir.join("home"), "s1");
  const said = print.mock.calls.flat();
  print.mockRestore();
  expect(said).toEqual(["2 gates count here"]);
  const kept = JSON.parse(await readFile(dir.join("work", ".git", "requirements", "main.json"), "utf8"));
  expect(Object.keys(kept.requirements.plan.sessions)).toEqual(["s1"]);
});

it("talks to a model and goes on with the session", async () => {
  await using world = await openChatWorld({ rules: [], otherwise: { text: "{{turn}}: {{prompt}}" } });
  const print = vi.spyOn(console, "log").mockReturnValue(undefined);
  const { cwd, home, env } = world.options;
  await talkToAModel(cwd, home, env);
  const said = print.mock.calls.flat();
  print.mockRestore();
  expect(said).toEqual([
    [{ type: "text", text: "1: The login must use passkeys. What do I need?" }],
    "2 messages are back, and what was being typed: And how do I",
    [{ type: "text", text: "2: What did I say about the login?" }],
  ]);
});

it("lets a session go on in a client of one's own", async () => {
  await using dir = await tempDir();
  const print = vi.spyOn(console, "log").mockReturnValue(undefined);
  await recordASession(dir.join("home"));
  print.mockClear();
  await using store = await openStoreForReading(dir.join("home"));
  const [session] = (await store.log.list()).sessions;
  await resumeInNotebook(process.cwd(), dir.join("home"), session?.id ?? "");
  await resumeInNotebook(process.cwd(), dir.join("home"), session?.id ?? "");
  const said = [...print.mock.calls];
  print.mockRestore();
  expect(said).toEqual([
    [{ message: 1 }],
    ["notebook", "--open"],
    ["The notebook has all of it."],
    ["notebook", "--open"],
  ]);
  const [page = ""] = await readdir(dir.join("home", "notebook"));
  expect(JSON.parse(await readFile(dir.join("home", "notebook", page), "utf8"))).toMatchObject({
    ...{ role: "user", text: "Fix the login." },
  });
});
