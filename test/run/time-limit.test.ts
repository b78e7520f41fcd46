import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { replayDry } from "../../src/run/replay-dry.ts";
import type { RunEvent } from "../../src/run/run.ts";
import { builtFiles, openRunWorld } from "../support/run-world.ts";
import { asks, builds, fakeModel, readStep } from "../support/scripted-run.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A clock that stands until it is set. */
function standingClock() {
  let ms = Date.parse("2026-11-17T06:00:00Z");
  return {
    now: () => new Date(ms),
    pass: (seconds: number) => {
      ms += seconds * 1000;
    },
  };
}

/** Is in the middle of two commands, of which the first has no end, when it does part 2. */
const slow = fakeModel("openai/model-w", (request) => {
  const { instruction, made } = readStep(request);
  return instruction === "Do part 2." && made.length === 0
    ? [asks("bash", { command: "sleep 600" }, "slow"), asks("bash", { command: "exit 0" }, "next")]
    : builds(request);
});

describe("the limit of time", () => {
  it("stops a command that is running, and what was to follow is done by the resume", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const clock = standingClock();
    const tell = (event: RunEvent) => {
      if (event.type === "tool-started" && event.call.call === "slow") clock.pass(61);
    };
    const stopped = await world.start({ worker: slow, tell, clock, limits: { seconds: 60 } });
    expect(stopped).toMatchObject({ reason: "time", rounds: 1 });
    const entries = await world.entries(stopped.session);
    expect(entries.at(-1)).toMatchObject({ event: "ended", data: { reason: "time" } });
    expect(entries.filter(({ kind }) => kind === "event")).toHaveLength(5);
    const done = await world.resume({ clock });
    expect(done).toMatchObject({ session: stopped.session, reason: "done", rounds: 3 });
    const dry = { cwd: world.folder, home: dir.join("home"), session: stopped.session };
    expect(await replayDry(dry)).toMatchObject({ rounds: 3, difference: null });
  });

  it("stops a model that does not reply, and keeps what it had said", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const clock = standingClock();
    const worker = {
      ...fakeModel("openai/model-w", builds),
      async *stream(_request: unknown, signal: AbortSignal) {
        yield { type: "text" as const, text: "I think of" };
        clock.pass(61);
        await new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      },
    };
    const stopped = await world.start({ worker, clock, limits: { seconds: 60 } });
    expect(stopped).toMatchObject({ reason: "time", rounds: 0 });
    expect((await world.entries(stopped.session)).at(-2)).toMatchObject({
      ...{ interrupted: true, parts: [{ type: "text", text: "I think of" }] },
    });
    expect(await world.resume({ clock })).toMatchObject({ reason: "done", rounds: 3 });
    expect(await world.files()).toEqual(builtFiles(3));
  });

  it("lets nothing begin that is allowed too late", async () => {
    await using dir = await tempDir();
    const world = await openRunWorld(dir);
    const clock = standingClock();
    const approve = async () => {
      clock.pass(61);
      await sleep(400);
      return true;
    };
    expect(await world.start({ approve, clock, limits: { seconds: 60 } })).toMatchObject({ reason: "time" });
    expect(await world.files()).toEqual({});
  });
});
