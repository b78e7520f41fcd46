import { describe, expect, it } from "vitest";
import type { Model, ModelRequest } from "../../../src/model/model.ts";
import { type ModelSettings, openModel } from "../../../src/model/open-model.ts";
import { modelContract } from "../../contract/model.ts";
import { collect, prompt } from "../../support/collect-events.ts";
import { replyOf, secretKey } from "../../support/model-world.ts";
import { openOddServer, refuse, saySomething } from "../../support/odd-server.ts";

const open = (url: string, settings: ModelSettings): Model =>
  openModel("openai/gpt-4.1", { ...settings, openai: { apiKey: secretKey, baseUrl: `${url}/v1` } });

const tools = [{ name: "decide", description: "Decides.", input: { type: "object" } }];

describe("a model of a server that speaks OpenAI's protocol", () => {
  modelContract(open);

  it("is asked without a key where the server has none, and the header is left out", async () => {
    await using server = await openOddServer((_, outgoing) => saySomething(outgoing, "Hi."));
    const model = openModel("openai/qwen3", { openai: { baseUrl: server.url } });
    expect(replyOf((await collect(model, prompt("go"))).events)).toEqual({
      parts: [{ type: "text", text: "Hi." }],
      ...{ end: "done", model: "odd", usage: {} },
    });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it.each([
    {
      case: "thinking beside tools",
      says: "Function tools with reasoning_effort are not supported. Set reasoning_effort to 'none'.",
      isTaken: (body: object) => "reasoning_effort" in body,
      request: { ...prompt("go"), tools },
    },
    {
      case: "thinking",
      says: "Unrecognized request argument supplied: reasoning_effort",
      isTaken: (body: object) => !("reasoning_effort" in body),
      request: { ...prompt("go"), thinkingTokens: 2000 },
    },
    {
      case: "a forced tool",
      says: "tool_choice must be 'auto'",
      isTaken: (body: object) => !("tool_choice" in body),
      request: { ...prompt("go"), tools, mustCall: "decide" },
    },
    {
      case: "the counting of tokens",
      says: "unknown field: stream_options",
      isTaken: (body: object) => !("stream_options" in body),
      request: prompt("go"),
    },
  ])(
    "leaves out what a server refuses, also in later requests: $case",
    async ({ says, isTaken, request }) => {
      await using server = await openOddServer(({ body }, outgoing) =>
        isTaken(body) ? saySomething(outgoing, "Hi.") : refuse(outgoing, 400, says),
      );
      const model = open(server.url, {});
      expect((await collect(model, request as ModelRequest)).error).toBeUndefined();
      expect((await collect(model, request as ModelRequest)).error).toBeUndefined();
      expect(server.requests.map(({ body }) => isTaken(body))).toEqual([false, true, true]);
    },
  );

  it("gives up when a server refuses the same thing again", async () => {
    await using server = await openOddServer((_, outgoing) => refuse(outgoing, 400, "stream_options is odd"));
    expect((await collect(open(server.url, {}), prompt("go"))).error).toMatchObject({
      code: "model-refused",
    });
    expect(server.requests).toHaveLength(2);
  });

  it("does not ask again when the money is used up", async () => {
    await using server = await openOddServer((_, outgoing) => {
      outgoing.writeHead(429, { "content-type": "application/json" });
      outgoing.end(
        JSON.stringify({ error: { message: "You exceeded your quota.", code: "insufficient_quota" } }),
      );
    });
    const { events, error } = await collect(open(server.url, {}), prompt("go"));
    expect(events).toEqual([]);
    expect(error).toMatchObject({
      message: `${new URL(server.url).host} refused the request (429): You exceeded your quota.`,
      code: "model-refused",
    });
  });

  it.each([
    { case: "a page", type: "text/html", body: "<html><body>Welcome!</body></html>" },
    { case: "nothing", type: "text/event-stream", body: "" },
  ])("says that what it was sent is no reply: $case", async ({ type, body }) => {
    await using server = await openOddServer((_, outgoing) => {
      outgoing.writeHead(200, { "content-type": type }).end(body);
    });
    const { events, error } = await collect(open(server.url, {}), prompt("go"));
    expect(events).toEqual([]);
    expect(error).toMatchObject({
      code: "model-no-reply",
      hint: "Look at OPENAI_BASE_URL: it may lead to something else.",
    });
  });

  it("hangs up when nobody listens any more", async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await openOddServer((_, outgoing) => {
      outgoing.once("close", closed.resolve);
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write(
        `data: ${JSON.stringify({ model: "odd", choices: [{ delta: { content: "Hi." } }] })}\n\n`,
      );
    });
    for await (const event of open(server.url, {}).stream(prompt("go"), new AbortController().signal)) {
      expect(event).toEqual({ type: "text", text: "Hi." });
      break;
    }
    await closed.promise;
  });

  it("follows no redirect, since the key would go along", async () => {
    await using elsewhere = await openOddServer((_, outgoing) => saySomething(outgoing, "Give me your key."));
    await using server = await openOddServer((_, outgoing) => {
      outgoing.writeHead(307, { location: `${elsewhere.url}/chat/completions` }).end();
    });
    expect((await collect(open(server.url, {}), prompt("go"))).error).toMatchObject({
      code: "model-refused",
      message: expect.stringContaining("(307)"),
    });
    expect(elsewhere.requests).toEqual([]);
  });

  it("tells the words of a page that a proxy sends with its error, without its tags", async () => {
    await using server = await openOddServer((_, outgoing) => {
      outgoing
        .writeHead(403, { "content-type": "text/html" })
        .end("<h1>Blocked</h1>\n<p>by \u001b[31mthe proxy</p>");
    });
    expect((await collect(open(server.url, {}), prompt("go"))).error).toMatchObject({
      message: `${new URL(server.url).host} does not allow this with the key that was given: Blocked by ^[[31mthe proxy.`,
    });
  });
});
