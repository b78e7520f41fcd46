import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ends, goesOn, runScenario, runs, writes } from "../support/run-scenario.ts";
import { openRunTerminal } from "../support/run-terminal.ts";

const asleep = runScenario(
  [goesOn("Write one."), goesOn("Sleep."), ends("Slept well.")],
  [writes("one.txt"), { text: "Wrote one." }, runs("sleep 20"), { text: "Slept." }],
);

const stubborn = runScenario(
  [goesOn("Wait."), ends("Waited.")],
  // It ends by itself at last: nobody ends what a process has left that was ended at once.
  [runs("trap '' TERM; for each in $(seq 100); do sleep 0.1; done"), { text: "Stopped." }],
);

const asking = runScenario(
  [goesOn("Write one."), ends("Both are there.")],
  [writes("one.txt"), { text: "Wrote one." }],
);

const question = "Do you allow this?";

describe("Ctrl+C", () => {
  // Seed 3: 1.1, 5.5, 8.3, 12.4
  it("ends the command that runs, saves everything, and says how to go on", async () => {
    await using run = await openRunTerminal(asleep, "Sleep.", "--yes");
    await run.waitFor("→ bash sleep 20");
    await run.press("C-c");
    const screen = await run.waitFor("Resume with: carryon run --resume --session session-");
    expect(screen).toContain("Stopping. Press Ctrl+C again to end at once.");
    expect(screen).toContain("✗ Interrupted: it was stopped while it was running.");
    expect(await run.ended()).toBe(130);
    await using next = await run.again("--resume", "--yes");
    const resumed = await next.waitFor("Slept well.");
    // The first round is finished, and not repeated.
    expect(resumed).not.toContain("one.txt");
    expect(resumed).toContain("Round 2 is saved");
    expect(await next.ended()).toBe(0);
  });

  // Seed 3: 5.5
  it("ends at once when it is pressed again, and nothing is lost", async () => {
    await using run = await openRunTerminal(stubborn, "Wait.", "--yes");
    await run.waitFor("→ bash trap");
    await run.press("C-c");
    await run.waitFor("Stopping.");
    // One that follows at once counts as the same: terminal and launcher may both deliver it.
    await sleep(1200);
    await run.press("C-c");
    expect(await run.ended()).toBe(130);
    await using next = await run.again("--resume", "--yes");
    expect(await next.waitFor("Waited.")).toContain("Round 1 is saved");
    expect(await next.ended()).toBe(0);
  });

  // Seed 3: 8.3
  it("at a question makes no call, and the question is asked again by a resume", async () => {
    await using run = await openRunTerminal(asking, "Write.");
    await run.waitFor(question);
    await run.press("C-c");
    await run.waitFor("Resume with: carryon run --resume");
    expect(await run.ended()).toBe(130);
    await using next = await run.again("--resume");
    await next.waitFor(question);
    await next.press("y");
    await next.waitFor("Both are there.");
    expect(await next.ended()).toBe(0);
  });
});

describe("a run that is ended from outside", () => {
  it.each([
    { signal: "SIGTERM", code: 143 },
    { signal: "SIGHUP", code: 129 },
  ] as const)("by $signal saves everything and says how to go on", async ({ signal, code }) => {
    await using run = await openRunTerminal(asleep, "Sleep.", "--yes");
    await run.waitFor("→ bash sleep 20");
    process.kill(run.pid, signal);
    await run.waitFor("Resume with: carryon run --resume --session session-");
    expect(await run.ended()).toBe(code);
    await using next = await run.again("--resume", "--yes");
    await next.waitFor("Slept well.");
  });

  it.each([
    { signal: "SIGTERM", code: 143 },
    { signal: "SIGHUP", code: 129 },
  ] as const)("by $signal at a question does not wait for the answer", async ({ signal, code }) => {
    await using run = await openRunTerminal(asking, "Write.");
    await run.waitFor(question);
    process.kill(run.pid, signal);
    await run.waitFor("Resume with: carryon run --resume --session session-");
    expect(await run.ended()).toBe(code);
  });

  // Seed 3: 8.3
  it("by the closing of its terminal goes on where it was", async () => {
    await using run = await openRunTerminal(asleep, "Sleep.", "--yes");
    await run.waitFor("→ bash sleep 20");
    await run.close();
    await using next = await run.again("--resume", "--yes");
    const screen = await next.waitFor("Slept well.");
    // It was told to stop, and has said so in the log.
    expect(screen).not.toContain("had no result");
  });

  // Seed 3: 1.1, 9.3
  it("by kill -9 says at the resume what may have taken effect", async () => {
    await using run = await openRunTerminal(asleep, "Sleep.", "--yes");
    await run.waitFor("→ bash sleep 20");
    process.kill(run.pid, "SIGKILL");
    await run.ended();
    await using next = await run.again("--resume", "--yes");
    const screen = await next.waitFor("Slept well.");
    expect(screen).toContain("1 call had no result when the run was cut off; the worker is told so.");
  });
});
