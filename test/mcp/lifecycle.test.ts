import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { putSeen } from "../support/client-folder.ts";
import { git, gitEnv, makeRepo } from "../support/git-repo.ts";
import { openMcp } from "../support/open-mcp.ts";
import { type Carryon, openCarryon } from "../support/run-carryon.ts";

const { PATH: _path, HOME: _home, ...identity } = gitEnv;

const hello = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

/** A server to which raw lines are sent. */
function startServer(carryon: Carryon, env: Readonly<Record<string, string>> = {}) {
  const child = carryon.start(["mcp"], { env });
  child.stdin.on("error", () => undefined);
  const talk = text(child.stderr);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    child,
    send: (line: unknown) =>
      void child.stdin.write(typeof line === "string" ? line : `${JSON.stringify(line)}\n`),
    next: async () => JSON.parse((await lines.next()).value ?? "null"),
    ended: async () => ({ code: await endOf(child), talk: await talk, rest: (await lines.next()).value }),
  };
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode ?? child.signalCode;
}

describe("carryon mcp", () => {
  it("ends with 0 when its client hangs up, and has written nothing but the protocol", async () => {
    await using carryon = await openCarryon();
    const server = startServer(carryon);
    server.send(hello);
    expect(await server.next()).toMatchObject({ id: 1, result: { serverInfo: { name: "carryon" } } });
    server.child.stdin.end();
    expect(await server.ended()).toEqual({ code: 0, talk: "", rest: undefined });
  });

  it("tells of what it does not understand, and goes on", async () => {
    await using carryon = await openCarryon();
    const server = startServer(carryon);
    for (const line of ["{broken\n", '{"jsonrpc":"1.0"}\n', "\u0007\n"]) server.send(line);
    server.send(hello);
    expect(await server.next()).toMatchObject({ id: 1 });
    server.send({ jsonrpc: "2.0", id: 2, method: "no/such" });
    expect(await server.next()).toMatchObject({ id: 2, error: { code: -32601 } });
    server.child.stdin.end();
    const { code, talk } = await server.ended();
    expect([code, talk.match(/^The client sent what is not understood: .*$/gm)?.length]).toEqual([0, 3]);
  });

  it("ends with 2 after a message that is too large", async () => {
    await using carryon = await openCarryon();
    const server = startServer(carryon);
    server.send(`{"x":"${"x".repeat(11 << 20)}`);
    const { code, talk } = await server.ended();
    expect([code, talk]).toEqual([
      2,
      expect.stringContaining("carryon: The client sent a message of more than 10 MB."),
    ]);
  });

  it.each([
    { signal: "SIGTERM", code: 143 },
    { signal: "SIGINT", code: 130 },
  ] as const)("ends with $code on $signal", async ({ signal, code }) => {
    await using carryon = await openCarryon();
    const server = startServer(carryon);
    server.send(hello);
    await server.next();
    server.child.kill(signal);
    expect(await server.ended()).toEqual({ code, talk: "", rest: undefined });
  });

  it("answers all that was asked before its client hung up", async () => {
    await using carryon = await openCarryon();
    const server = startServer(carryon);
    server.send(hello);
    const ask = (id: number, method: string, params: object) =>
      server.send({ jsonrpc: "2.0", id, method, params });
    ask(2, "tools/call", { name: "brief", arguments: {} });
    ask(3, "resources/read", { uri: "carryon://handover" });
    ask(4, "tools/list", {});
    server.child.stdin.end();
    const answers = [await server.next(), await server.next(), await server.next(), await server.next()];
    expect(new Set(answers.map(({ id, error }) => (error === undefined ? id : error)))).toEqual(
      new Set([1, 2, 3, 4]),
    );
    expect(await server.ended()).toEqual({ code: 0, talk: "", rest: undefined });
  });

  it("finishes what was begun when its client hangs up", async () => {
    await using carryon = await openCarryon();
    const root = join(carryon.folder, "work");
    await makeRepo(root, ["first"]);
    await writeFile(join(root, "a.txt"), "a\n");
    const [began, goOn] = [join(carryon.folder, "began"), join(carryon.folder, "go-on")];
    await writeHook(root, `touch '${began}'; while ! test -e '${goOn}'; do sleep 0.05; done`);
    const server = startServer(carryon, identity);
    server.send(hello);
    await server.next();
    const params = { name: "session_save", arguments: { working_on: "tea" } };
    server.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params });
    await waitForFile(began);
    server.child.stdin.end();
    server.child.stdout.destroy();
    await writeFile(goOn, "");
    expect(await endOf(server.child)).toBe(0);
    expect(await git(root, "log", "-1", "--format=%s")).toBe("WIP: tea - checkpoint");
  });

  it("stops what it runs on SIGTERM, and leaves no process behind", async () => {
    await using carryon = await openCarryon();
    const root = join(carryon.folder, "work");
    await makeRepo(root, ["first"]);
    await writeFile(join(root, "a.txt"), "a\n");
    const pidFile = join(carryon.folder, "pid");
    await writeHook(root, `echo $$ > '${pidFile}.new'; mv '${pidFile}.new' '${pidFile}'; exec sleep 600`);
    const server = startServer(carryon, identity);
    server.send(hello);
    await server.next();
    const params = { name: "session_save", arguments: {} };
    server.send({ jsonrpc: "2.0", id: 2, method: "tools/call", params });
    const pid = Number(await waitForFile(pidFile));
    server.child.kill("SIGTERM");
    expect(await endOf(server.child)).toBe(143);
    await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false);
    expect(await git(root, "log", "--format=%s")).toBe("first");
  });

  it("makes changes in the order in which they were asked for", async () => {
    await using carryon = await openCarryon();
    await using mcp = await openMcp(carryon);
    const fields = { type: "USER_DECISION", context: "c", decision: "d", reason: "r", impact: "i" };
    const asked = Array.from({ length: 5 }, (_, index) =>
      mcp.call("decide", { ...fields, summary: `number ${index + 1}` }),
    );
    const numbers = (await Promise.all(asked)).map(({ facts }) => facts);
    expect(numbers).toEqual([1, 2, 3, 4, 5].map((number) => ({ number })));
  });

  it("answers every call in a folder that is gone with an error", async () => {
    await using carryon = await openCarryon();
    const inner = join(carryon.folder, "work", "inner");
    await mkdir(inner);
    await using mcp = await openMcp(carryon, { cwd: inner });
    await rm(inner, { recursive: true });
    for (const name of ["session_list", "brief", "session_save", "gate_status"])
      expect(await mcp.call(name)).toEqual({
        text: "The current folder does not exist any more. (no-folder)\nChange to another folder.",
        isError: true,
        facts: undefined,
      });
    await expect(mcp.read("carryon://handover")).rejects.toThrow("(no-folder)");
  });

  it("answers with an error while the store cannot be read, and goes on when it can", async () => {
    await using carryon = await openCarryon();
    await carryon.record("tea");
    const store = join(carryon.folder, "home", "store.db");
    await using mcp = await openMcp(carryon);
    expect((await mcp.call("session_search", { query: "tea" })).text).toMatch(/^1 found/);
    await rename(store, `${store}.aside`);
    await writeFile(store, "no database at all, but long enough to be looked at ".repeat(100), {
      mode: 0o600,
    });
    const broken = await mcp.call("session_list");
    expect([broken.isError, broken.text]).toEqual([true, expect.stringContaining(store)]);
    await rename(`${store}.aside`, store);
    expect((await mcp.call("session_list")).text).toMatch(/^1 session\./);
  });

  it("takes in what a client has done since, before each answer", async () => {
    await using carryon = await openCarryon();
    const work = join(carryon.folder, "work");
    await carryon.ask(["init", "--yes", "--no-import"]);
    await using mcp = await openMcp(carryon);
    for (const [index, prompt] of ["Fix the login.", "And the logout."].entries()) {
      const session = `${index}1111111-1111-4111-8111-111111111111`;
      const seen = { event: "UserPromptSubmit", session, at: new Date(), payload: { prompt, cwd: work } };
      await putSeen(join(carryon.folder, "home"), seen);
      expect((await mcp.call("session_list")).text).toContain(`  ${prompt}\n`);
    }
  });
});

async function writeHook(root: string, script: string): Promise<void> {
  const path = join(root, ".git", "hooks", "pre-commit");
  await mkdir(join(root, ".git", "hooks"), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

async function waitForFile(path: string): Promise<string> {
  await expect.poll(() => readFile(path, "utf8").catch(() => undefined), { timeout: 60_000 }).toBeDefined();
  return readFile(path, "utf8");
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // It has ended.
    return false;
  }
}
