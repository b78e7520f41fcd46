import { describe, expect, it } from "vitest";
import type { Model, ModelEvent, ModelRequest, ToolOffer } from "../../src/model/model.ts";
import { collect, prompt } from "../support/collect-events.ts";
import type { ModelServer } from "../support/model-server/open-model-server.ts";
import { joinTold, type OpenForTest, replyOf, serve, serveOne } from "../support/model-world.ts";

const readTool: ToolOffer = {
  name: "read",
  description: "Reads a file.",
  input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

/** How a reply is told, and how it is stopped. */
export function modelRepliesContract(open: OpenForTest): void {
  describe("a reply", () => {
    it("is told as it comes, and whole at the end", async () => {
      await using world = await serveOne(open, { text: "Grüße, 世界! 👩‍💻" });
      const { events, error } = await collect(world.model, prompt("go"));
      expect(error).toBeUndefined();
      expect(joinTold(events)).toEqual({ text: "Grüße, 世界! 👩‍💻", thinking: "", calls: [] });
      expect(events.filter(({ type }) => type === "text").length).toBeGreaterThan(1);
      expect(replyOf(events)).toMatchObject({
        parts: [{ type: "text", text: "Grüße, 世界! 👩‍💻" }],
        end: "done",
      });
    });

    it("says which model answered and what it has used", async () => {
      await using world = await serveOne(open, { text: "Done." });
      const reply = replyOf((await collect(world.model, prompt("go"))).events);
      expect(`${world.model.name.replace(/\/.*$/, "")}/${reply?.model}`).toBe(world.model.name);
      expect(reply?.usage.inputTokens).toBeGreaterThan(0);
      expect(reply?.usage.outputTokens).toBeGreaterThan(0);
    });

    it("brings the calls of tools with their whole input", async () => {
      const input = { path: "a/ä.txt", lines: [1, 2], deep: { yes: true, no: null } };
      await using world = await serveOne(open, { text: "Let me look.", calls: [{ tool: "read", input }] });
      const { events } = await collect(world.model, { ...prompt("go"), tools: [readTool] });
      expect(joinTold(events)).toEqual({ text: "Let me look.", thinking: "", calls: ["read"] });
      expect(replyOf(events)).toMatchObject({
        parts: [
          { type: "text", text: "Let me look." },
          { type: "tool-call", call: expect.any(String), name: "read", input },
        ],
        end: "calls",
      });
    });

    it("goes on after the results of several calls, with everything that was said before", async () => {
      const calls = [1, 2].map((number) => ({ tool: "read", input: { path: `${number}.txt` } }));
      await using world = await serve(open, [
        { when: "go", steps: [{ text: "Two files.", calls }, { text: "Both read." }] },
      ]);
      const request: ModelRequest = { ...prompt("go"), system: "Be brief.", tools: [readTool] };
      const first = replyOf((await collect(world.model, request)).events);
      const parts = first?.parts ?? [];
      const results = parts.flatMap((part, index) =>
        part.type === "tool-call"
          ? [{ type: "tool-result" as const, call: part.call, output: `text ${index}`, failed: index === 2 }]
          : [],
      );
      const second = await collect(world.model, {
        ...request,
        messages: [...request.messages, { role: "assistant", parts }, { role: "tool", parts: results }],
      });
      expect(second.error).toBeUndefined();
      expect(replyOf(second.events)).toMatchObject({
        parts: [{ type: "text", text: "Both read." }],
        end: "done",
      });
    });

    it.each(["length", "refused"] as const)("says when it ended otherwise: %s", async (end) => {
      await using world = await serveOne(open, { text: "As far as this.", end });
      expect(replyOf((await collect(world.model, prompt("go"))).events)).toMatchObject({ end });
    });

    it("may be long, and is told whole", async () => {
      await using world = await serveOne(open, { long: 5000 });
      const { events } = await collect(world.model, prompt("go"));
      const [part] = replyOf(events)?.parts ?? [];
      expect(part).toEqual({ type: "text", text: joinTold(events).text });
      expect(joinTold(events).text.split(/\s+/)).toHaveLength(5000);
    });

    it("has the thoughts of a model that was asked to think", async () => {
      await using world = await serveOne(open, { thinking: "They want it brief.", text: "Yes." });
      const { events } = await collect(world.model, { ...prompt("go"), thinkingTokens: 2000 });
      expect(joinTold(events)).toEqual({ thinking: "They want it brief.", text: "Yes.", calls: [] });
      expect(replyOf(events)?.parts).toMatchObject([
        { type: "thinking", text: "They want it brief." },
        { type: "text", text: "Yes." },
      ]);
    });

    it("goes on after a reply that was stopped while the model thought", async () => {
      await using world = await serveOne(open, { thinking: "They want it brief.", text: "Yes." });
      const request = { ...prompt("go"), thinkingTokens: 2000 };
      const [thought] = replyOf((await collect(world.model, request)).events)?.parts ?? [];
      const stopped = { role: "assistant" as const, parts: thought === undefined ? [] : [thought] };
      const { events, error } = await collect(world.model, {
        ...request,
        messages: [...request.messages, stopped, ...prompt("go on").messages],
      });
      expect({ error, end: replyOf(events)?.end }).toEqual({ error: undefined, end: "done" });
      expect(world.server.requests.map(({ status }) => status)).toEqual([200, 200]);
    });

    it("takes a conversation that began with another provider", async () => {
      await using world = await serveOne(open, { text: "Let me go on." });
      const call = {
        type: "tool-call" as const,
        call: "functions.read:0",
        name: "read it!",
        input: "not an object",
      };
      const turn = [
        { role: "assistant" as const, parts: [{ type: "thinking" as const, text: "Hm." }, call] },
        {
          role: "tool" as const,
          parts: [{ type: "tool-result" as const, call: call.call, output: "", failed: true }],
        },
      ];
      const { error, events } = await collect(world.model, {
        messages: [...prompt("start \ud83d").messages, ...turn, ...turn, ...prompt("go").messages],
        tools: [readTool],
      });
      expect(error).toBeUndefined();
      expect(replyOf(events)?.end).toBe("done");
    });
  });

  describe("an abort", () => {
    it("ends a request with its reason before anything is sent", async () => {
      await using world = await serveOne(open, { text: "Done." });
      const reason = new Error("stopped by a person");
      const { events, error } = await collect(world.model, prompt("go"), AbortSignal.abort(reason));
      expect({ events, error, requests: world.server.requests }).toEqual({
        events: [],
        error: reason,
        requests: [],
      });
    });

    it("ends a request with its reason while nothing comes", async () => {
      await using world = await serveOne(open, { text: "Done.", delay: 600_000 });
      const { events, error, reason } = await abortWhen(world, "asked");
      expect({ events, error }).toEqual({ events: [], error: reason });
    });

    it("ends a reply with its reason in the middle", async () => {
      await using world = await serveOne(open, { text: "One two three four.", stall: 600_000 });
      const { events, error, reason } = await abortWhen(world, "told");
      expect(error).toBe(reason);
      expect(joinTold(events).text).toMatch(/^One/);
      expect(replyOf(events)).toBeUndefined();
    });
  });
}

async function abortWhen(
  world: { readonly server: ModelServer; readonly model: Model },
  moment: "asked" | "told",
) {
  const abort = new AbortController();
  const reason = new Error("stopped by a person");
  const events: ModelEvent[] = [];
  const ask = async () => {
    for await (const event of world.model.stream(prompt("go"), abort.signal)) {
      events.push(event);
      if (moment === "told") abort.abort(reason);
    }
  };
  const asked = ask().then(
    () => undefined,
    (error: unknown) => error,
  );
  await world.server.waitFor(() => true);
  if (moment === "asked") abort.abort(reason);
  return { events, error: await asked, reason };
}
