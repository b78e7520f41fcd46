import { readFile, realpath, writeFile } from "node:fs/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCommand } from "../../src/lib/run-command.ts";
import { killIfThere, readWhenThere, waitUntilGone } from "../support/left-process.ts";
import { tempDir } from "../support/temp-dir.ts";

const env = { PATH: process.env.PATH };
const node = (script: string, ...args: readonly string[]) =>
  [process.execPath, "-e", script, ...args] as const;

/** Starts a grandchild that heeds no request to end, writes down its process, and stays. */
const withGrandchild = `
const { spawn } = require("node:child_process");
const stay = "process.on('SIGTERM', () => {}); require('node:fs').writeFileSync(process.argv[1], String(process.pid)); setInterval(() => {}, 1000)";
spawn(process.execPath, ["-e", stay, process.argv[1]], { stdio: "inherit" });
process.stdout.write("begun\\n");
setInterval(() => {}, 1000);
`;

describe("a command", () => {
  it("ends with its exit code and what it printed on both ways", async () => {
    await using dir = await tempDir();
    const script = `process.stdout.write("out\\n", () => process.stderr.write("err\\n", () => process.exit(3)))`;
    const { output, ...end } = (await runCommand(node(script), { cwd: dir.path, env })) as {
      readonly output: string;
    };
    expect([end, output.split("\n").sort()]).toEqual([{ type: "exited", code: 3 }, ["", "err", "out"]]);
  });

  it("runs in its folder, without a shell, without input, and without another repository", async () => {
    await using dir = await tempDir();
    const script = `
      const input = require("node:fs").readFileSync(0, "utf8");
      const { GIT_DIR, GIT_INDEX_FILE, MORE } = process.env;
      console.log(JSON.stringify([process.cwd(), process.argv.slice(1), input, GIT_DIR, GIT_INDEX_FILE, MORE]));
    `;
    const words = ["a b", "$HOME", "*", "; exit 9", "`id`", ""];
    const given = { ...env, GIT_DIR: "/elsewhere", GIT_INDEX_FILE: "/elsewhere/index", MORE: "yes" };
    const end = await runCommand(node(script, ...words), { cwd: dir.path, env: given });
    const seen = [await realpath(dir.path), words, "", null, null, "yes"];
    expect(end).toEqual({ type: "exited", code: 0, output: `${JSON.stringify(seen)}\n` });
  });

  it("is found by a path from its folder", async () => {
    await using dir = await tempDir();
    await writeFile(dir.join("run"), "#!/bin/sh\necho here\n", { mode: 0o755 });
    expect(await runCommand(["./run"], { cwd: dir.path, env })).toEqual({
      ...{ type: "exited", code: 0, output: "here\n" },
    });
  });

  it("tells of the signal that killed it", async () => {
    await using dir = await tempDir();
    const end = await runCommand(node(`process.kill(process.pid, "SIGKILL")`), { cwd: dir.path, env });
    expect(end).toEqual({ type: "killed", signal: "SIGKILL", output: "" });
  });

  it.each([
    ["no-such-program", "The program no-such-program was not found."],
    ["./no-such-file", "The program ./no-such-file was not found."],
    [".", "The program . may not be run."],
    ["a\0b", expect.stringMatching(/^The program could not be started: .*null bytes/)],
  ] as const)("that cannot be started says why: %j", async (program, reason) => {
    await using dir = await tempDir();
    expect(await runCommand([program], { cwd: dir.path, env })).toEqual({ type: "not-started", reason });
  });

  it("is remembered by the end of its output, from a whole character on", async () => {
    await using dir = await tempDir();
    const script = `process.stdout.write("é".repeat(200_000) + "x" + "end")`;
    const end = await runCommand(node(script), { cwd: dir.path, env });
    expect(end).toEqual({ type: "exited", code: 0, output: `${"é".repeat(32_766)}xend` });
  });

  it("ends with all that it has started when its time is over", async () => {
    await using dir = await tempDir();
    const command = node(withGrandchild, dir.join("pid"));
    const running = runCommand(command, { cwd: dir.path, env, timeoutMs: 10_000 });
    const pid = Number(await readWhenThere(dir.join("pid")));
    onTestFinished(() => killIfThere(pid));
    expect(await running).toEqual({ type: "timed-out", output: "begun\n" });
    await waitUntilGone(pid);
  });

  it("ends with all that it has started when it is aborted", async () => {
    await using dir = await tempDir();
    const stop = new AbortController();
    const command = node(withGrandchild, dir.join("pid"));
    const running = runCommand(command, { cwd: dir.path, env, signal: stop.signal });
    const pid = Number(await readWhenThere(dir.join("pid")));
    onTestFinished(() => killIfThere(pid));
    stop.abort();
    expect(await running).toEqual({ type: "aborted", output: "begun\n" });
    await waitUntilGone(pid);
    expect(await runCommand(command, { cwd: dir.path, env, signal: stop.signal })).toEqual({
      ...{ type: "aborted", output: "" },
    });
  });

  it("is over when it has ended, although it left something running", async () => {
    await using dir = await tempDir();
    const script = `
      const { spawn } = require("node:child_process");
      const { pid } = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" });
      require("node:fs").writeFileSync(process.argv[1], String(pid));
      process.exit(0);
    `;
    expect(await runCommand(node(script, dir.join("pid")), { cwd: dir.path, env })).toEqual({
      ...{ type: "exited", code: 0, output: "" },
    });
    const pid = Number(await readFile(dir.join("pid"), "utf8"));
    expect(process.kill(pid, 0)).toBe(true);
    process.kill(pid, "SIGKILL");
    await waitUntilGone(pid);
  });
});
