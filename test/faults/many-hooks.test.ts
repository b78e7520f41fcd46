import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { drainSpool } from "../../src/storage/drain-spool.ts";
import { countEvents, countingEnv, dieAtShare } from "../support/kill-moments.ts";
import { openHook, promptOf, recordedEvents, silence } from "../support/open-hook.ts";

describe("a hook", () => {
  it("records what every version of Claude Code really wrote, in order and as it is, and says nothing", async () => {
    await using hook = await openHook();
    const samples = globSync("test/fixtures/hook-payloads/claude-code/*/*.json").toSorted();
    const payloads = samples.map((file) => JSON.parse(readFileSync(file, "utf8")));
    for (const payload of payloads) expect(await hook.run(payload)).toEqual(silence);
    const recorded = payloads.filter(({ hook_event_name: name }) => recordedEvents.includes(name));
    expect(
      (await hook.inbox()).map(({ client, event, session, payload }) => ({
        client,
        event,
        session,
        payload,
      })),
    ).toEqual(
      recorded.map(({ hook_event_name: event, session_id: session, ...payload }) => {
        return { client: "claude-code", event, session, payload };
      }),
    );
  });

  it("records all of 64 that run at once", async () => {
    await using hook = await openHook();
    const prompts = Array.from({ length: 64 }, (_, index) => `prompt ${index}`);
    const runs = await Promise.all(prompts.map((prompt) => hook.run(promptOf(prompt))));
    expect(runs).toEqual(prompts.map(() => silence));
    await drainSpool(hook.home);
    const stored = (await hook.inbox()).map(({ payload }) => (payload as { prompt: string }).prompt);
    expect(new Set(stored)).toEqual(new Set(prompts));
    expect(stored).toHaveLength(prompts.length);
  });
});

describe("a hook that is killed", () => {
  it("stores all or nothing of each payload, whenever it happens", async () => {
    await using hook = await openHook();
    const tell = async (round: number, more: Readonly<Record<string, string>>) => {
      const env = { ...process.env, ...countingEnv, ...more };
      const child = spawn(process.execPath, [hook.bundle], { stdio: ["pipe", "ignore", "ignore"], env });
      child.stdin.on("error", () => undefined);
      child.stdin.end(JSON.stringify(promptOf(`round ${round} ${"word ".repeat(20_000)}`)));
      await once(child, "close");
      return child.signalCode;
    };
    const events = await countEvents((env) => tell(0, env));
    for (let round = 0; round < 20; round += 1) {
      if (round === 10)
        for (const end of ["", "-wal", "-shm"]) await rm(join(hook.home, `store.db${end}`), { force: true });
      expect(await tell(round, dieAtShare(events, ((round % 10) + 1) / 10))).toBe("SIGKILL");
    }
    const { rejected } = await drainSpool(hook.home);
    expect(rejected).toEqual([]);
    for (const { payload } of await hook.inbox()) {
      expect(payload).toEqual({
        cwd: "/nowhere",
        prompt: expect.stringMatching(/^round \d+ (word ){20000}$/),
      });
    }
  });
});
