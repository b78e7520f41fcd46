import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Step } from "../support/model-server/scenario.ts";
import { type Chatting, openChatting } from "../support/open-chatting.ts";
import { ends, goesOn, runScenario, runs, writes } from "../support/run-scenario.ts";
import { repoIn } from "../support/save-repo.ts";

const id = "session-00000000-000000-0001";
const resumeLine = `  Resume with: carryon run --resume --session ${id}`;

/** The program in a repository, whose worker first writes a file and then fails in some way. */
async function openFailing(failure: Partial<Step>): Promise<Chatting> {
  const report = { text: "I have written all of it." };
  return openRunning(
    [goesOn("Write it."), ends("Done.")],
    [writes("one.txt"), { ...report, ...failure }, report],
  );
}

async function openRunning(instructor: Step[], worker: Step[]): Promise<Chatting> {
  const carryon = await openChatting(runScenario(instructor, worker), {
    CARRYON_MODEL: "anthropic/claude-sonnet-5-5",
  });
  await repoIn(join(carryon.folder, "work"));
  return carryon;
}

/** What a program says at its end, after the rounds. */
const lastLines = ({ code, stderr }: { code: number | null; stderr: string }, lines: number) => [
  code,
  ...stderr
    .replaceAll(/127\.0\.0\.1:\d+/g, "<model>")
    .trimEnd()
    .split("\n")
    .slice(-lines),
];

describe("a run whose model fails says why, and goes on where it was", () => {
  const error = (status: number, more: object = {}): Partial<Step> => ({
    error: { status, times: 6, retryAfterMs: 1, message: "It said so", ...more },
  });

  // Seed 3: 9.5
  it.each([
    {
      ...{ case: "429", failure: error(429), code: 75, hint: "Ask again in 0 s." },
      says: "<model> cannot answer now (429): It said so.",
    },
    {
      ...{ case: "529", failure: error(529), code: 75, hint: "Ask again in 0 s." },
      says: "<model> cannot answer now (529): It said so.",
    },
    {
      ...{ case: "500", failure: error(500), code: 75, hint: "Ask again in 0 s." },
      says: "<model> cannot answer now (500): It said so.",
    },
    {
      ...{ case: "429 for an hour", code: 75, hint: "Ask again in 1 h." },
      failure: { error: { status: 429, times: 1, retryAfter: 3600, message: "It said so" } },
      says: "<model> cannot answer now (429): It said so.",
    },
    {
      ...{ case: "a key that is refused", failure: error(401, { times: 1 }), code: 3 },
      says: "<model> refused the key.",
      hint: "Set ANTHROPIC_API_KEY to a key that is valid.",
    },
    {
      ...{ case: "a model that is gone", failure: error(404, { times: 1 }), code: 2 },
      says: "<model> has no model claude-sonnet-5-5: It said so.",
      hint: "It is the worker's: name another one with -w.",
    },
    {
      ...{ case: "a context that is full", code: 2 },
      failure: error(400, { times: 1, message: "prompt is too long" }),
      says: "The conversation is too long for claude-sonnet-5-5: prompt is too long.",
      hint: "It is the worker's: name one that holds more with -w.",
    },
  ])("$case", async ({ failure, code, says, hint }) => {
    await using carryon = await openFailing(failure);
    const failed = await carryon.call(["run", "Write it.", "--yes"]);
    expect(lastLines(failed, 3)).toEqual([code, `carryon: ${says}`, `  ${hint}`, resumeLine]);
    const resumed = await carryon.call(["run", "--resume", "--yes"]);
    expect([resumed.code, resumed.stdout]).toEqual([0, "Done.\n"]);
    // The file was written before the failure, and is not written again.
    expect(resumed.stderr).not.toContain("write one.txt");
    expect(carryon.model.refusals).toEqual([]);
  });

  it("a connection that is dropped in the middle of a reply, which is asked for again", async () => {
    await using carryon = await openFailing({ drop: { at: "middle", times: 1 } });
    const { code, stdout, stderr } = await carryon.call(["run", "Write it.", "--yes"]);
    expect([code, stdout]).toEqual([0, "Done.\n"]);
    expect(stderr).toMatch(/ {2}The reply of \S+ broke off: .* Trying again \(2 of 3\)\.\n/);
    const { entries } = JSON.parse(await carryon.ask(["show", "latest", "--json"]));
    const cut = entries.filter(({ interrupted }: { interrupted?: true }) => interrupted === true);
    expect(cut).toMatchObject([{ strand: "worker", parts: [{ type: "text" }] }]);
    expect(carryon.model.refusals).toEqual([]);
  });

  it("a connection that is dropped again and again", async () => {
    const dropped = { text: "I have written all of it.", drop: { at: "middle", times: 1 } } as const;
    await using carryon = await openRunning(
      [goesOn("Write it."), ends("Done.")],
      [writes("one.txt"), dropped, dropped, dropped, { text: "It is written." }],
    );
    const failed = await carryon.call(["run", "Write it.", "--yes"]);
    expect(lastLines(failed, 3)).toEqual([
      ...[74, expect.stringMatching(/^carryon: The reply of <model> broke off: /)],
      ...["  What had come of it is kept.", resumeLine],
    ]);
    const resumed = await carryon.call(["run", "--resume", "--yes"]);
    expect([resumed.code, resumed.stdout]).toEqual([0, "Done.\n"]);
  });

  it("a key that is missing, at the start and at a resume", async () => {
    await using carryon = await openFailing(error(401, { times: 1 }));
    const without = { env: { ANTHROPIC_API_KEY: "" } };
    const noKey = [
      "carryon: There is no key for Anthropic: set ANTHROPIC_API_KEY.",
      "  Or write it as `models: anthropic: apiKey:` into config.yaml, which nobody else may read.",
    ];
    const first = await carryon.call(["run", "Write it.", "--yes"], without);
    expect(lastLines(first, 9)).toEqual([3, ...noKey]);
    expect(JSON.parse(await carryon.ask(["sessions", "--json"])).sessions).toEqual([]);
    await carryon.call(["run", "Write it.", "--yes"]);
    const second = await carryon.call(["run", "--resume", "--yes"], without);
    expect(lastLines(second, 9)).toEqual([3, ...noKey]);
    expect(await carryon.call(["run", "--resume", "--yes"])).toMatchObject({ code: 0, stdout: "Done.\n" });
  });
});

describe("a run whose worker loops", () => {
  // Seed 3: 8.6
  it("stops the worker, then itself, and goes on with further instructions", async () => {
    const again = Array.from({ length: 9 }, () => goesOn("Look."));
    await using carryon = await openRunning(
      [...again.slice(0, 4), ends("Found.")],
      [...Array.from({ length: 40 }, () => runs("echo same"))],
    );
    const failed = await carryon.call(["run", "Find it.", "--yes"]);
    expect(failed.stderr).toContain(
      "  The worker was stopped: it made the same call 5 times in a row, with the same result each time.\n",
    );
    expect(lastLines(failed, 3)).toEqual([
      2,
      "carryon: The run was stopped. The last rounds changed nothing and found out nothing new.",
      "  Look at it with `carryon show latest`, and resume it with further instructions.",
      resumeLine,
    ]);
    const resumed = await carryon.call(["run", "--resume", "Look elsewhere.", "--yes"]);
    expect([resumed.code, resumed.stdout]).toEqual([0, "Found.\n"]);
  });
});

describe("a run that removes its own work folder", () => {
  // Seed 3: 12.4
  it("tells the worker, goes on, and can be resumed elsewhere", async () => {
    await using carryon = await openRunning(
      [goesOn("Remove it."), goesOn("Run it."), ends("Gone."), ends("It is elsewhere.")],
      [runs('rm -rf "$PWD"'), { text: "Removed." }, runs("pwd"), { text: "Nothing is there." }],
    );
    const { code, stderr } = await carryon.call(["run", "Remove it.", "--yes", "-r", "2", "--name", "gone"]);
    expect(code).toBe(0);
    expect(stderr).toContain("The files of the rounds are not kept: the repository is gone.\n");
    expect(stderr).toContain("  ✗ The folder <folder>/work does not exist any more.\n");
    const elsewhere = join(carryon.folder, "elsewhere");
    await mkdir(elsewhere);
    const more = ["run", "--resume", "--session", "gone", "Look again.", "--yes"];
    const resumed = await carryon.call([...more, "-d", elsewhere], { cwd: elsewhere });
    expect([resumed.code, resumed.stdout]).toEqual([0, "It is elsewhere.\n"]);
  });
});

describe("a copy of the session that cannot be written", () => {
  it("does not stop the run, and is told at its end", async () => {
    await using carryon = await openRunning(
      [goesOn("Tidy up."), ends("Done.")],
      [runs("rmdir shared"), { text: "The folder is gone." }],
    );
    await mkdir(join(carryon.folder, "work", "shared"));
    const args = ["run", "Tidy up.", "--yes", "--session-file", "shared/session.json"];
    const { code, stdout, stderr } = await carryon.call(args);
    expect([code, stdout]).toEqual([74, "Done.\n"]);
    expect(stderr).toContain("carryon: The copy of the session could not be written. ");
    const { sessions } = JSON.parse(await carryon.ask(["sessions", "--json"]));
    expect(sessions).toMatchObject([{ status: "ended" }]);
  });
});

describe("a run that is going", () => {
  it("is refused to a second process, which is told who has it and how to fork", async () => {
    await using carryon = await openRunning(
      [goesOn("Wait."), ends("Waited.")],
      [{ text: "Waiting.", hang: { at: "start", times: 1 } }, { text: "Waited." }],
    );
    const child = carryon.start(["run", "Wait for me.", "--yes"]);
    await carryon.model.waitFor(({ failure }) => failure !== undefined);
    const second = await carryon.call(["run", "--resume", "--yes"]);
    expect([second.code, second.stderr]).toEqual([
      4,
      `carryon: Session ${id} is being written by carryon run (process ${child.pid} on ${hostname()}).
  Go on in a fork: \`carryon fork ${id}\`
  Or ask the other writer to stop: \`carryon sessions --take-over ${id}\`
`,
    ]);
    const fork = (await carryon.ask(["fork", "latest"])).trim();
    const forked = await carryon.call(["run", "--resume", "--session", fork, "--yes"]);
    expect([forked.code, forked.stdout]).toEqual([0, "Waited.\n"]);
    child.kill("SIGKILL");
    await once(child, "close");
  });
});
