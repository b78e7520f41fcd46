import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { openStore } from "../../src/storage/open-store.ts";
import { childEnv } from "../support/child.ts";
import { collect } from "../support/entries.ts";
import { git, makeRepo } from "../support/git-repo.ts";
import type { Answer } from "../support/machine.ts";
import { type TempDir, tempDir } from "../support/temp-dir.ts";
import { launcher } from "../support/test-context.ts";

/** Runs the program in the folder `repo` with at most so many open files. */
async function runWith(dir: TempDir, limit: number, args: readonly string[], input = ""): Promise<Answer> {
  const command = [
    'ulimit -n "$1"; shift; exec "$@"',
    "sh",
    String(limit),
    process.execPath,
    launcher,
    ...args,
  ];
  const env = { ...childEnv, CARRYON_HOME: dir.join("home") };
  const child = spawn("sh", ["-c", ...command], { cwd: dir.join("repo"), env });
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const ended = new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 128)));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, stdout, stderr };
}

/** Returns the smallest limit with which Node can load the program at all. */
async function findFloor(dir: TempDir): Promise<number> {
  let limit = 10;
  while ((await runWith(dir, limit, ["--version"])).code !== 0) limit += 1;
  return limit;
}

const messages = ["one", "two"].map((each) => `${JSON.stringify({ role: "user", text: each })}\n`).join("");

it("works or says why not, and loses nothing, however few files may be open", async () => {
  await using dir = await tempDir();
  await makeRepo(dir.join("repo"), ["first"]);
  const floor = await findFloor(dir);
  const codes: number[] = [];
  const receipts: string[] = [];
  // Three times, because less is open by chance now and then.
  for (let limit = floor; codes.filter((code) => code === 0).length < 3; limit += 1) {
    const run = await runWith(dir, limit, ["append"], messages);
    codes.push(run.code);
    const lines = run.stdout.split("\n").filter((line) => line !== "");
    receipts.push(...lines.slice(1).map((line) => JSON.parse(line).id));
    const failed = {
      code: 74,
      stdout: expect.any(String),
      stderr: expect.stringMatching(/^carryon: [A-Z].*\.\n/),
    };
    if (run.code === 0) expect([run.stderr, lines.length]).toEqual(["", 3]);
    else expect({ limit, ...run }).toEqual({ limit, ...failed });
  }
  expect(codes).toContain(74);
  await using store = await openStore(dir.join("home"));
  const { sessions } = await store.log.list();
  const entries = (await Promise.all(sessions.map(({ id }) => collect(store.log.read(id))))).flat();
  expect(entries.map((entry) => entry.id)).toEqual(expect.arrayContaining(receipts));
  const root = await git(dir.join("repo"), "rev-list", "--max-parents=0", "HEAD");
  // A repository whose git could not be asked must not become another project.
  expect(new Set(sessions.map(({ project, branch }) => `${project} ${branch}`))).toEqual(
    new Set([`root:${root} main`]),
  );
});
