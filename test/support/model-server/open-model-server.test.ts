import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readEvents, rebuildMessage } from "./anthropic/read-stream.ts";
import { headers, tool } from "./anthropic/sample-requests.ts";
import { signThinking } from "./anthropic/signature.ts";
import type { AnswerMessage, MessagesRequest, WireMessage } from "./anthropic/wire.ts";
import { countAttempts } from "./attempts.ts";
import { decide } from "./decide.ts";
import { type ModelServer, openModelServer } from "./open-model-server.ts";
import type { Scenario, Step } from "./scenario.ts";

const tools = [tool("Bash")];
const scenarioOf = (...steps: Step[]): Scenario => ({ rules: [{ when: "go", steps }] });
const prompt = { model: "m", max_tokens: 100, messages: [{ role: "user", content: "go" }] };

function ask(server: ModelServer, body: object, path = "/v1/messages?beta=true"): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

async function readMessage(response: Promise<Response>): Promise<AnswerMessage> {
  return (await (await response).json()) as AnswerMessage;
}

describe("the scripted model", () => {
  it("answers with text, a thought and tool calls in one message", async () => {
    const usage = { input_tokens: 190_000, output_tokens: 7, cache_read_input_tokens: 3 };
    const calls = [
      { tool: "Bash", input: { command: "ls" } },
      { tool: "Write", input: { file_path: "a" } },
    ];
    await using server = await openModelServer(scenarioOf({ thinking: "Hm.", text: "Yes.", calls, usage }));
    const response = await ask(server, { ...prompt, tools, thinking: { type: "adaptive" } });
    expect(response.status).toBe(200);
    expect(response.headers.get("request-id")).toMatch(/^req_[0-9a-f]{24}$/);
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-f]{24}$/),
      type: "message",
      role: "assistant",
      model: "m",
      content: [
        { type: "thinking", thinking: "Hm.", signature: signThinking("Hm.") },
        { type: "text", text: "Yes." },
        {
          type: "tool_use",
          id: expect.stringMatching(/^toolu_[0-9a-f]{24}$/),
          name: "Bash",
          input: { command: "ls" },
        },
        {
          type: "tool_use",
          id: expect.stringMatching(/^toolu_[0-9a-f]{24}$/),
          name: "Write",
          input: { file_path: "a" },
        },
      ],
      stop_reason: "tool_use",
      stop_sequence: null,
      usage: { cache_creation_input_tokens: 0, ...usage },
    });
  });

  it("streams the events of the API in their order", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Hello 🙂", usage: { output_tokens: 9 } }));
    const response = await ask(server, { ...prompt, stream: true });
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = await readEvents(response);
    expect(events.map(({ type }) => type)).toEqual([
      "message_start",
      "ping",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(events.slice(3, 7)).toEqual([
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hell" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "o 🙂" } },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 9 },
      },
    ]);
  });

  it("says the same in a stream as at once, for any step", async () => {
    const words = fc.string({ minLength: 1, unit: "grapheme" });
    const anyStep: fc.Arbitrary<Step> = fc.record(
      {
        thinking: words,
        text: words,
        calls: fc.array(fc.record({ tool: words, input: fc.dictionary(words, fc.string()) }), {
          maxLength: 3,
        }),
      },
      { requiredKeys: [] },
    );
    const asking = { ...prompt, tools, thinking: { type: "adaptive" } };
    await fc.assert(
      fc.asyncProperty(anyStep, async (step) => {
        await using server = await openModelServer(scenarioOf(step));
        const whole = await readMessage(ask(server, asking));
        const streamed = rebuildMessage(await readEvents(await ask(server, { ...asking, stream: true })));
        const plain = (message: object) => JSON.stringify(message).replace(/(msg|toolu)_[0-9a-f]+/g, "$1");
        const { usage: _1, ...said } = whole;
        const { usage: _2, ...heard } = streamed;
        expect(plain(heard)).toBe(plain(said));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    { case: "none were offered", offer: {} },
    { case: "an empty list was offered", offer: { tools: [] } },
    { case: "their use is forbidden", offer: { tools, tool_choice: { type: "none" } } },
  ])("calls no tools if $case", async ({ offer }) => {
    const calls = [{ tool: "Bash", input: {} }];
    await using server = await openModelServer({
      rules: [
        { when: "go", steps: [{ text: "Yes.", calls }] },
        { when: "hush", steps: [{ calls }] },
      ],
    });
    const contentOf = async (content: string) => {
      const asked = { ...prompt, ...offer, messages: [{ role: "user", content }] };
      const { stop_reason, content: said } = await readMessage(ask(server, asked));
      return { stop_reason, said };
    };
    expect(await contentOf("go")).toEqual({
      stop_reason: "end_turn",
      said: [{ type: "text", text: "Yes." }],
    });
    expect(await contentOf("hush")).toEqual({
      stop_reason: "end_turn",
      said: [{ type: "text", text: "There is nothing to say." }],
    });
  });

  it.each([
    {
      case: "thinks aloud where that is allowed",
      thinking: { type: "enabled", budget_tokens: 1024 },
      thought: ["Hm."],
    },
    {
      case: "keeps the text of a thought where that is asked",
      thinking: { type: "adaptive", display: "omitted" },
      thought: [""],
    },
    { case: "does not think where that is off", thinking: { type: "disabled" }, thought: [] },
    { case: "does not think where nobody asks", thinking: undefined, thought: [] },
  ])("$case", async ({ thinking, thought }) => {
    await using server = await openModelServer(scenarioOf({ thinking: "Hm.", text: "Yes." }));
    const asked = { ...prompt, max_tokens: 2000, thinking };
    const { content } = await readMessage(ask(server, asked));
    expect(content).toEqual([
      ...thought.map((text) => ({ type: "thinking", thinking: text, signature: signThinking("Hm.") })),
      { type: "text", text: "Yes." },
    ]);
  });

  it("answers with the error of a step, also where a stream was asked for", async () => {
    const error = { status: 529, type: "overloaded_error", message: "Overloaded" };
    await using server = await openModelServer(scenarioOf({ error }));
    const response = await ask(server, { ...prompt, stream: true });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 529,
      body: {
        type: "error",
        error: { type: "overloaded_error", message: "Overloaded" },
        request_id: response.headers.get("request-id"),
      },
    });
  });

  it("refuses a wrong request with an error as the API has it", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Yes." }));
    const response = await ask(server, { ...prompt, max_tokens: undefined });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: {
        type: "error",
        error: { type: "invalid_request_error", message: "max_tokens: Field required" },
        request_id: response.headers.get("request-id"),
      },
    });
    expect(server.requests.map(({ status, rule }) => ({ status, rule }))).toEqual([
      { status: 400, rule: undefined },
    ]);
  });

  it("counts tokens, answers HEAD and knows no other address", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Yes." }));
    const { max_tokens: _, ...counted } = prompt;
    const count = await ask(server, counted, "/v1/messages/count_tokens?beta=true");
    expect(await count.json()).toEqual({ input_tokens: Math.ceil(JSON.stringify(counted).length / 4) });
    const head = await fetch(server.url, { method: "HEAD" });
    expect(head.status).toBe(200);
    const other = await fetch(`${server.url}/v1/models`, { headers });
    expect(other.status).toBe(404);
    expect(await other.json()).toMatchObject({ type: "error", error: { type: "not_found_error" } });
  });

  it("keeps a log that tells what was asked and answered", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Yes." }));
    const answer = await (await ask(server, prompt)).json();
    expect(server.requests).toEqual([
      {
        method: "POST",
        path: "/v1/messages?beta=true",
        headers: expect.objectContaining(headers),
        body: prompt,
        rule: "go",
        step: 0,
        status: 200,
        answer,
      },
    ]);
    expect(await (await fetch(`${server.url}/__requests`)).json()).toEqual(server.requests);
  });

  it("shows a request before it gives an answer that is delayed, and outlives a client that goes away", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Never.", delay: 600_000 }));
    const client = new AbortController();
    const body = JSON.stringify(prompt);
    const asked = fetch(`${server.url}/v1/messages`, {
      method: "POST",
      headers,
      body,
      signal: client.signal,
    });
    const seen = await server.waitFor(({ rule, step }) => rule === "go" && step === 0);
    expect(seen).toBe(server.requests[0]);
    client.abort();
    await expect(asked).rejects.toThrow("aborted");
    expect((await fetch(server.url, { method: "HEAD" })).status).toBe(200);
  });

  it("stalls in the middle of the last block of a stream", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Half.", stall: 600_000 }));
    const response = await ask(server, { ...prompt, stream: true });
    let heard = "";
    for await (const chunk of response.body ?? []) {
      heard += Buffer.from(chunk).toString();
      if (heard.includes("text_delta")) break;
    }
    expect(heard).toContain('"text":"Hal"');
    expect(heard).not.toContain("content_block_stop");
  });

  it("ends a wait for a request that never came", async () => {
    const server = await openModelServer(scenarioOf({ text: "Yes." }));
    const waiting = server.waitFor(() => true);
    const ended = expect(waiting).rejects.toThrow("The model server was closed before the request came.");
    await server[Symbol.asyncDispose]();
    await ended;
  });
});

it("answers a request the same way each time, and takes back what it said, for any script", () => {
  const words = fc.string({ minLength: 1, unit: "grapheme" }).filter((each) => each.trim() !== "");
  const call = fc.record({ tool: fc.constant("Bash"), input: fc.dictionary(fc.string(), fc.string()) });
  const anyStep: fc.Arbitrary<Step> = fc.record(
    { thinking: words, text: words, calls: fc.array(call, { maxLength: 3 }) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 5 }), fc.boolean(), (steps, omitted) => {
      const messages: WireMessage[] = [{ role: "user", content: "go" }];
      const thinking = { type: "adaptive", ...(omitted ? { display: "omitted" } : {}) };
      for (let turn = 0; turn <= steps.length; turn += 1) {
        const request: MessagesRequest = { model: "m", max_tokens: 100, tools, thinking, messages };
        const arrival = { method: "POST", path: "/v1/messages", headers, source: JSON.stringify(request) };
        const decision = decide(scenarioOf(...steps), arrival, countAttempts());
        expect(decide(scenarioOf(...steps), arrival, countAttempts())).toEqual(decision);
        expect(decision).toMatchObject({ answer: { status: 200 }, step: turn });
        const { content } = decision.answer.body as AnswerMessage;
        const ids = content.filter(({ type }) => type === "tool_use").map(({ id }) => id);
        if (ids.length === 0) return;
        const results = ids.map((id) => ({ type: "tool_result", tool_use_id: id, content: "ok" }));
        messages.push({ role: "assistant", content }, { role: "user", content: results });
      }
    }),
  );
});
