import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { AppError } from "../../src/lib/app-error.ts";
import type { ModelEvent } from "../../src/model/model.ts";
import { collect, prompt } from "../support/collect-events.ts";
import { openModelServer } from "../support/model-server/open-model-server.ts";
import {
  joinTold,
  type OpenForTest,
  openPaced,
  replyOf,
  secretKey,
  serveOne,
} from "../support/model-world.ts";

/** What becomes of a request that is not answered. */
export function modelFailuresContract(open: OpenForTest): void {
  describe("a server that does not answer", () => {
    it("is given up when it is silent from the beginning", async () => {
      await using world = await serveOne(
        open,
        { text: "Done.", delay: 600_000 },
        { timeouts: { firstByteMs: 50 } },
      );
      const { events, error } = await collect(world.model, prompt("go"));
      expect(events).toEqual([]);
      expect(error).toMatchObject({ kind: "io", code: "model-silent" });
    });

    it("is given up when it falls silent in the middle of a reply", async () => {
      await using world = await serveOne(
        open,
        { text: "One two three four.", stall: 600_000 },
        { timeouts: { betweenBytesMs: 1000 } },
      );
      const { events, error } = await collect(world.model, prompt("go"));
      expect(joinTold(events).text).toMatch(/^One/);
      expect(error).toMatchObject({ kind: "io", code: "model-silent" });
    });

    it.each([{ hang: { at: "start" } }, { hang: { at: "middle" } }] as const)(
      "is given up when it hangs: $hang.at",
      async (step) => {
        const timeouts = { firstByteMs: 100, betweenBytesMs: 100 };
        await using world = await serveOne(open, { text: "One two three four.", ...step }, { timeouts });
        const { error } = await collect(world.model, prompt("go"));
        expect(error).toMatchObject({
          kind: "io",
          code: "model-silent",
          message: expect.stringContaining("sent nothing for 1 s"),
        });
      },
    );

    it("is asked again when it drops the connection before it has said anything", async () => {
      const drop = { at: "start" as const, times: 2 };
      await using server = await openModelServer({ rules: [], otherwise: { text: "At last.", drop } });
      const { model, waits } = openPaced(open, server.url);
      const { events, error } = await collect(model, prompt("go"));
      expect(error).toBeUndefined();
      expect(waits).toEqual([1000, 2000]);
      expect(replyOf(events)?.parts).toEqual([{ type: "text", text: "At last." }]);
    });

    it("is not asked again when it drops the connection in the middle of a reply", async () => {
      await using world = await serveOne(open, { text: "One two three four.", drop: { at: "middle" } });
      const { events, error } = await collect(world.model, prompt("go"));
      expect(joinTold(events).text).toMatch(/^One/);
      expect(error).toMatchObject({ kind: "io", code: "model-lost" });
      expect(world.server.requests).toHaveLength(1);
    });

    it("is named with the reason when nobody listens there", async () => {
      const { model, waits } = openPaced(open, await closedUrl());
      const { events, error } = await collect(model, prompt("go"));
      expect(error).toMatchObject({
        kind: "io",
        code: "model-unreachable",
        message: expect.stringContaining("ECONNREFUSED"),
      });
      expect(events.map(({ type }) => type)).toEqual(["retry", "retry", "retry"]);
      expect(waits).toEqual([1000, 2000, 4000]);
    });
  });

  describe("a refusal", () => {
    it.each([
      { status: 400, message: "max_tokens: too many", code: "model-refused", kind: "usage" },
      {
        status: 400,
        message: "prompt is too long: 9 tokens > 8 maximum",
        code: "context-too-long",
        kind: "usage",
      },
      { status: 413, message: "Request exceeds the maximum size", code: "context-too-long", kind: "usage" },
      { status: 401, message: `invalid x-api-key ${secretKey}`, code: "model-key-refused", kind: "config" },
      { status: 403, message: `no permission for ${secretKey}`, code: "model-key-refused", kind: "config" },
      { status: 404, message: "model: no-such-model", code: "model-not-found", kind: "usage" },
    ])(
      "is an error of its own, which is not tried again: $status $code",
      async ({ code, kind, ...error }) => {
        await using world = await serveOne(open, { error: { type: "some_error", ...error } });
        const outcome = await collect(world.model, prompt("go"));
        expect(outcome).toMatchObject({ events: [], error: { code, kind } });
        expect(inspect(outcome.error, { depth: 20, showHidden: true })).not.toContain(secretKey.slice(0, 12));
        expect(world.server.requests).toHaveLength(1);
      },
    );

    it.each([408, 409, 429, 500, 503, 529])(
      "is tried again a few times when it is passing: %i",
      async (status) => {
        const error = { status, type: "overloaded_error", message: "Overloaded" };
        await using server = await openModelServer({ rules: [], otherwise: { error } });
        const { model, waits } = openPaced(open, server.url);
        const outcome = await collect(model, prompt("go"));
        expect(outcome.error).toMatchObject({ kind: "busy", code: "model-busy" });
        expect(outcome.events).toEqual(
          [1000, 2000, 4000, 8000, 16_000].map((waitMs, index) => ({
            type: "retry",
            reason: expect.stringContaining(String(status)),
            waitMs,
            attempt: index + 2,
            attempts: 6,
          })),
        );
        expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000]);
        expect(server.requests).toHaveLength(6);
      },
    );

    it("is waited out as long as the server says", async () => {
      const error = { status: 429, times: 2, retryAfter: 7 };
      await using server = await openModelServer({ rules: [], otherwise: { text: "At last.", error } });
      const { model, waits } = openPaced(open, server.url);
      const { events } = await collect(model, prompt("go"));
      expect(waits).toEqual([7000, 7000]);
      expect(events.slice(0, 2)).toEqual([
        { type: "retry", reason: expect.any(String), waitMs: 7000, attempt: 2, attempts: 6 },
        { type: "retry", reason: expect.any(String), waitMs: 7000, attempt: 3, attempts: 6 },
      ]);
      expect(replyOf(events)?.parts).toEqual([{ type: "text", text: "At last." }]);
    });

    it("is given up at once when the server wants to be left alone for too long", async () => {
      await using world = await serveOne(open, { error: { status: 429, retryAfter: 3600 } });
      expect(await collect(world.model, prompt("go"))).toMatchObject({
        events: [],
        error: { code: "model-busy", hint: "Ask again in 1 h." },
      });
    });

    it("in the middle of a reply is an error, and what had been told is not told again", async () => {
      await using world = await serveOne(open, {
        text: "One two three four.",
        error: { status: 529, at: "middle" },
      });
      const { events, error } = await collect(world.model, prompt("go"));
      expect(joinTold(events).text).toMatch(/^One/);
      expect(error).toMatchObject({
        kind: "io",
        code: "model-lost",
        message: expect.stringContaining("broke off"),
      });
      expect(world.server.requests).toHaveLength(1);
    });

    it("ends the waiting when it is aborted", async () => {
      const error = { status: 529, type: "overloaded_error", message: "Overloaded" };
      await using world = await serveOne(open, { error });
      const abort = new AbortController();
      const reason = new Error("stopped by a person");
      const events: ModelEvent[] = [];
      const ask = async () => {
        for await (const event of world.model.stream(prompt("go"), abort.signal)) {
          events.push(event);
          abort.abort(reason);
        }
      };
      await expect(ask()).rejects.toBe(reason);
      expect(events.map(({ type }) => type)).toEqual(["retry"]);
      expect(world.server.requests).toHaveLength(1);
    });
  });

  it("is told by errors alone: nothing is written to the console, whatever the environment asks for", async () => {
    const env = { ANTHROPIC_LOG: "debug", OPENAI_LOG: "debug" };
    const before = Object.fromEntries(Object.keys(env).map((name) => [name, process.env[name]]));
    Object.assign(process.env, env);
    const spies = (["log", "debug", "info", "warn", "error"] as const).map((name) => vi.spyOn(console, name));
    try {
      await using world = await serveOne(open, { text: "Done." });
      await collect(world.model, prompt("go"));
      await collect(world.model, prompt("no rule is for this"));
      expect(spies.flatMap(({ mock }) => mock.calls)).toEqual([]);
    } finally {
      for (const spy of spies) spy.mockRestore();
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  describe("the key", () => {
    it("is sent, and shows nowhere else", async () => {
      const error = {
        status: 400,
        type: "invalid_request_error",
        message: `You sent ${secretKey}, and ${secretKey.slice(0, 20)}`,
      };
      await using world = await serveOne(open, { error });
      const outcome = await collect(world.model, prompt("go"));
      expect(JSON.stringify(world.server.requests[0]?.headers)).toContain(secretKey);
      expect(outcome.error).toBeInstanceOf(AppError);
      for (const shown of [world.model, outcome.error, (outcome.error as Error).cause]) {
        const text = inspect(shown, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true });
        expect(text).not.toContain(secretKey.slice(0, 12));
      }
    });
  });
}

/** Returns an address at which there was a server a moment ago. */
async function closedUrl(): Promise<string> {
  const server = await openModelServer({ rules: [] });
  await server[Symbol.asyncDispose]();
  return server.url;
}
