import { describe, expect, it } from "vitest";
import type { Model, ModelRequest } from "../../../src/model/model.ts";
import { type ModelSettings, openModel } from "../../../src/model/open-model.ts";
import { modelContract } from "../../contract/model.ts";
import { collect, prompt } from "../../support/collect-events.ts";
import { signThinking } from "../../support/model-server/anthropic/signature.ts";
import { openModelServer } from "../../support/model-server/open-model-server.ts";
import { replyOf, secretKey } from "../../support/model-world.ts";
import { openOddServer, refuse } from "../../support/odd-server.ts";

const open = (url: string, settings: ModelSettings, name = "claude-sonnet-4-5"): Model =>
  openModel(name, { ...settings, anthropic: { apiKey: secretKey, baseUrl: url } });

describe("a model of Anthropic", () => {
  modelContract(open);

  it("thinks where it is asked to, and is given its thoughts back with their signatures", async () => {
    const step = { thinking: "They want it brief.", text: "Yes.", calls: [{ tool: "read", input: {} }] };
    await using server = await openModelServer({ rules: [{ when: "go", steps: [step, { text: "Done." }] }] });
    const model = open(server.url, {});
    const tools = [{ name: "read", description: "Reads.", input: { type: "object" } }];
    const request: ModelRequest = { ...prompt("go"), thinkingTokens: 2000, tools };
    const { events } = await collect(model, request);
    const parts = replyOf(events)?.parts ?? [];
    expect(parts[0]).toEqual({
      type: "thinking",
      text: "They want it brief.",
      signature: signThinking("They want it brief."),
    });
    expect(events.flatMap((event) => (event.type === "thinking" ? [event.text] : [])).join("")).toBe(
      "They want it brief.",
    );
    const results = parts.flatMap((part) =>
      part.type === "tool-call" ? [{ type: "tool-result" as const, call: part.call, output: "text" }] : [],
    );
    const next = await collect(model, {
      ...request,
      messages: [...request.messages, { role: "assistant", parts }, { role: "tool", parts: results }],
    });
    expect(replyOf(next.events)).toMatchObject({ parts: [{ type: "text", text: "Done." }] });
    expect(server.requests.at(-1)?.body?.messages[1]).toMatchObject({
      content: [{ type: "thinking", thinking: "They want it brief." }, {}, {}],
    });
  });

  it("asks again without thoughts that the server does not take, and leaves them out from then on", async () => {
    await using server = await openModelServer({ rules: [], otherwise: { text: "Done." } });
    const model = open(server.url, {}, "claude-opus-5-5");
    const request: ModelRequest = {
      messages: [
        ...prompt("go").messages,
        {
          role: "assistant",
          parts: [
            { type: "thinking", text: "changed since", signature: signThinking("as it was") },
            { type: "text", text: "Yes." },
          ],
        },
        ...prompt("and on").messages,
      ],
    };
    expect((await collect(model, request)).error).toBeUndefined();
    expect((await collect(model, request)).error).toBeUndefined();
    expect(server.requests.map(({ status }) => status)).toEqual([400, 200, 200]);
  });

  it.each([
    {
      case: "thinking",
      says: '"thinking.type.enabled" is not supported for this model.',
      isTaken: (body: object) => !("thinking" in body),
      request: { thinkingTokens: 2000 },
    },
    {
      case: "a forced tool",
      says: "tool_choice: forced tool use is not supported for this model.",
      isTaken: (body: object) => !("tool_choice" in body),
      request: {
        mustCall: "read",
        tools: [{ name: "read", description: "Reads.", input: { type: "object" } }],
      },
    },
    {
      case: "more tokens than it allows",
      says: "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for my-claude",
      isTaken: (body: { readonly max_tokens?: unknown }) => body.max_tokens === 8192,
      request: {},
    },
  ])(
    "leaves out what a server refuses, also in later requests: $case",
    async ({ says, isTaken, request }) => {
      await using server = await openOddServer(({ body }, outgoing) =>
        refuse(outgoing, 400, isTaken(body) ? "This is as far as it goes." : says),
      );
      const model = open(server.url, {}, "anthropic/my-model");
      for (let count = 0; count < 2; count += 1) {
        expect((await collect(model, { ...prompt("go"), ...request })).error).toMatchObject({
          message: expect.stringContaining("This is as far as it goes."),
        });
      }
      expect(server.requests.map(({ body }) => isTaken(body))).toEqual([false, true, true]);
    },
  );

  it("gives up when a server refuses the same thing again and again", async () => {
    const says = "messages.1.content.0: Invalid `signature` in `thinking` block";
    await using server = await openOddServer((_, outgoing) => refuse(outgoing, 400, says));
    const { error } = await collect(open(server.url, {}), prompt("go"));
    expect(error).toMatchObject({ code: "model-refused", message: expect.stringContaining(says) });
    expect(server.requests).toHaveLength(1);
  });

  it("is forced to call a tool where it can be, and asked to where it cannot", async () => {
    await using server = await openModelServer({ rules: [], otherwise: { text: "Done." } });
    const tools = [{ name: "decide", description: "Decides.", input: { type: "object" } }];
    const request: ModelRequest = { ...prompt("go"), tools, mustCall: "decide", thinkingTokens: 2000 };
    await collect(open(server.url, {}, "claude-haiku-4-5"), request);
    await collect(open(server.url, {}, "claude-sonnet-5-5"), request);
    const [forced, asked] = server.requests.map(({ body }) => body);
    expect(forced).toMatchObject({ tool_choice: { type: "tool", name: "decide" } });
    expect(forced).not.toHaveProperty("thinking");
    expect(asked).not.toHaveProperty("tool_choice");
    expect(JSON.stringify(asked?.messages)).toContain("calling the tool decide");
  });
});
