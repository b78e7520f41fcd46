import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ancestorsOf, findOwnAgent, parseProc, parseProcessTable } from "../../src/gates/ancestors.ts";
import { chooseSession, SeveralSessions } from "../../src/gates/choose-gate-session.ts";
import type { ListedSession } from "../../src/gates/session-key.ts";
import { gateTime, sessionKey } from "../support/gate-states.ts";

const session = (key: string, more: Partial<ListedSession> = {}): ListedSession => ({
  ...{ key: sessionKey(key), fullId: null, pid: 1, ppid: 10, projectDir: "/project", branch: "main" },
  ...{ startedAt: gateTime, lastActive: gateTime, liveness: "alive", ...more },
});
const later = new Date(gateTime.getTime() + 1000);
const question = { registry: [session("a")], ancestors: [], projectDir: "/project" };

describe("chooseSession", () => {
  it.each([
    { case: "takes the one that is named", given: { session: "x", fromEnvironment: "y" }, chosen: "x" },
    { case: "takes that of the environment", given: { session: "", fromEnvironment: "y" }, chosen: "y" },
    { case: "takes the only one of the project", given: { fromEnvironment: "" }, chosen: "a" },
    {
      case: "gives the full id",
      given: { registry: [session("a", { fullId: "a-full" })] },
      chosen: "a-full",
    },
    { case: "knows a folder by another spelling", given: { projectDir: "/project/x/../" }, chosen: "a" },
    { case: "has none in another project", given: { projectDir: "/other" }, chosen: undefined },
    {
      case: "has none when the client is gone",
      given: { registry: [session("a", { liveness: "gone" })] },
      chosen: undefined,
    },
    {
      case: "has none that runs elsewhere",
      given: { registry: [session("a", { liveness: "unknown" })] },
      chosen: undefined,
    },
    {
      case: "takes the one whose client it comes from, whatever its project",
      given: {
        registry: [session("a"), session("b"), session("c", { ppid: 20, projectDir: "/other" })],
        ancestors: [{ pid: 30 }, { pid: 20 }],
      },
      chosen: "c",
    },
    {
      case: "takes the nearest client",
      given: {
        registry: [session("a", { ppid: 10 }), session("b", { ppid: 20 })],
        ancestors: [{ pid: 20 }, { pid: 10 }],
      },
      chosen: "b",
    },
    {
      case: "takes the newest of a client",
      given: {
        registry: [session("a"), session("b", { lastActive: later }), session("c")],
        ancestors: [{ pid: 10 }],
      },
      chosen: "b",
    },
  ])("$case", ({ given, chosen }) => {
    expect(chooseSession({ ...question, ...given })).toBe(chosen);
  });

  it("refuses to choose between several of the project", () => {
    const registry = [session("a"), session("b", { branch: null }), session("c", { projectDir: "/other" })];
    const ask = () => chooseSession({ ...question, registry });
    expect(ask).toThrow(SeveralSessions);
    expect(ask).toThrow("Several sessions run in this project: a (main), b.");
    expect(new SeveralSessions(registry)).toMatchObject({ kind: "usage", code: "several-sessions" });
  });
});

describe("findOwnAgent", () => {
  const tree = (...names: readonly string[]) => {
    const table = names.map((words, index) => `${100 - index} ${99 - index} ${words}`).join("\n");
    const processes = parseProcessTable(table);
    return async (pid: number) => processes.get(pid);
  };

  it.each([
    { names: ["node hook.cjs", "/bin/sh -c x", "claude --resume", "-zsh", "login"], agent: "claude" },
    {
      names: ["node x", "timeout 5 node x", "/usr/bin/env node", "bash", "busybox sh", "/opt/codex"],
      agent: "codex",
    },
    {
      names: ["node /a/dist/main.js", "node /a/bin/carryon.cjs gate", "fish", "node /b/cli.js"],
      agent: "node",
    },
    { names: ["node x", "npm exec carryon", "dash"], agent: "npm" },
    { names: ["node x", "sh", "/sbin/init"], agent: undefined },
    { names: ["node x"], agent: undefined },
  ])("finds $agent above $names", async ({ names, agent }) => {
    expect((await findOwnAgent(100, tree(...names)))?.name).toBe(agent);
  });

  it("ends where processes are their own ancestors", async () => {
    const table = parseProcessTable("1 2 a\n2 1 b\n");
    expect((await ancestorsOf(1, async (pid) => table.get(pid))).map(({ pid }) => pid)).toEqual([2]);
  });

  it("finds the parent of this process first, as ps does", async () => {
    const [parent, ...others] = await ancestorsOf(process.pid);
    expect(parent?.pid).toBe(process.ppid);
    const listed = parseProcessTable(
      execFileSync("ps", ["-A", "-o", "pid=", "-o", "ppid=", "-o", "args="]).toString(),
    );
    const known = await ancestorsOf(process.pid, async (pid) => listed.get(pid));
    expect([parent, ...others].map((each) => each?.pid)).toEqual(known.map(({ pid }) => pid));
  });

  it("reads a program with brackets and spaces in its name", () => {
    expect(parseProc(5, "5 (a) b (c) S 4 5 5 0", "/x/a b\0--flag\0")).toEqual({
      ...{ pid: 5, ppid: 4, name: "a) b (c", words: ["/x/a b", "--flag"] },
    });
  });
});
