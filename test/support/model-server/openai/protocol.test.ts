import fc from "fast-check";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { type ModelServer, openModelServer } from "../open-model-server.ts";
import type { Scenario, Step } from "../scenario.ts";
import { headers, request, tool, user } from "./sample-requests.ts";

type Asked = OpenAI.ChatCompletionCreateParamsNonStreaming;
type Messages = OpenAI.ChatCompletionMessageParam[];

const scenarioOf = (...steps: Step[]): Scenario => ({ rules: [{ when: "go", steps }] });
const go = request(user("go"));
const prompt: Asked = { model: "m", messages: [{ role: "user", content: "go" }] };
const tools = [tool("bash"), tool("read")] as OpenAI.ChatCompletionTool[];
const calls = [
  { tool: "bash", input: { command: "ls" } },
  { tool: "read", input: { path: "a" } },
];

function clientOf({ url }: ModelServer): OpenAI {
  return new OpenAI({ apiKey: "sk-test", baseURL: `${url}/v1`, maxRetries: 0 });
}

function ask(server: ModelServer, body: object, path = "/v1/chat/completions"): Promise<Response> {
  return fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Returns the data of each event of a stream. */
async function readChunks(response: Response): Promise<readonly string[]> {
  const records = (await response.text()).split("\n\n").filter((record) => record !== "");
  return records.map((record) => record.replace(/^data: /, ""));
}

describe("the scripted model, over chat completions,", () => {
  it("answers with text, a thought and calls in one message", async () => {
    const usage = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 30 };
    await using server = await openModelServer(scenarioOf({ thinking: "Hm.", text: "Yes.", calls, usage }));
    const asked: Asked = { ...prompt, tools, reasoning_effort: "low" };
    expect(await clientOf(server).chat.completions.create(asked)).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
      object: "chat.completion",
      created: 1_700_000_000,
      model: "m",
      system_fingerprint: "fp_scripted",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Yes.",
            refusal: null,
            reasoning_content: "Hm.",
            tool_calls: [
              {
                id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
                type: "function",
                function: { name: "bash", arguments: '{"command":"ls"}' },
              },
              {
                id: expect.stringMatching(/^call_[0-9a-f]{24}$/),
                type: "function",
                function: { name: "read", arguments: '{"path":"a"}' },
              },
            ],
          },
          logprobs: null,
          finish_reason: "tool_calls",
        },
      ],
      usage: {
        prompt_tokens: 130,
        completion_tokens: 20,
        total_tokens: 150,
        prompt_tokens_details: { cached_tokens: 30 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    });
  });

  it("streams chunks in the order of the API", async () => {
    await using server = await openModelServer(
      scenarioOf({
        text: "Hello 🙂",
        calls: calls.slice(0, 1),
        usage: { input_tokens: 4, output_tokens: 9 },
      }),
    );
    const asked = { ...go, tools, stream: true, stream_options: { include_usage: true } };
    const response = await ask(server, asked);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{24}$/);
    const chunks = await readChunks(response);
    expect(chunks.at(-1)).toBe("[DONE]");
    const parsed = chunks.slice(0, -1).map((chunk) => JSON.parse(chunk));
    const { choices: _1, usage: _2, ...common } = parsed[0];
    expect(common).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
      object: "chat.completion.chunk",
      created: 1_700_000_000,
      model: "m",
      system_fingerprint: "fp_scripted",
    });
    const choice = (delta: object, finish_reason: string | null = null) => ({
      ...common,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      usage: null,
    });
    const fragment = (more: object) => choice({ tool_calls: [{ index: 0, ...more }] });
    expect(parsed).toEqual([
      choice({ role: "assistant", content: "", refusal: null }),
      choice({ content: "Hell" }),
      choice({ content: "o 🙂" }),
      fragment({
        id: expect.stringMatching(/^call_/),
        type: "function",
        function: { name: "bash", arguments: "" },
      }),
      fragment({ function: { arguments: '{"comman' } }),
      fragment({ function: { arguments: 'd":"ls"}' } }),
      choice({}, "tool_calls"),
      {
        ...common,
        choices: [],
        usage: {
          prompt_tokens: 4,
          completion_tokens: 9,
          total_tokens: 13,
          prompt_tokens_details: { cached_tokens: 0 },
          completion_tokens_details: { reasoning_tokens: 0 },
        },
      },
    ]);
  });

  it("tells no usage in a stream where nobody asks for it", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Yes." }));
    const chunks = await readChunks(await ask(server, { ...go, stream: true }));
    expect(chunks.filter((chunk) => chunk.includes("usage"))).toEqual([]);
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
    const asking = { model: "m", messages: prompt.messages, tools };
    const plain = (message: object | undefined) => JSON.stringify(message).replace(/call_[0-9a-f]+/g, "call");
    await fc.assert(
      fc.asyncProperty(anyStep, async (step) => {
        await using server = await openModelServer(scenarioOf(step));
        const client = clientOf(server);
        const [whole] = (await client.chat.completions.create(asking)).choices;
        const streamed = await client.chat.completions.stream(asking).finalChatCompletion();
        const heard = streamed.choices[0]?.message;
        expect(plain({ ...heard, parsed: null })).toBe(plain({ ...whole?.message, parsed: null }));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    { case: "thinks aloud where that is allowed", effort: "high" as const, thought: "Hm." },
    { case: "does not think where that is off", effort: "none" as const, thought: undefined },
    { case: "does not think where nobody asks", effort: undefined, thought: undefined },
  ])("$case", async ({ effort, thought }) => {
    await using server = await openModelServer(scenarioOf({ thinking: "Hm.", text: "Yes." }));
    const asked = { ...go, reasoning_effort: effort };
    const answer = (await (await ask(server, asked)).json()) as { choices: readonly [{ message: object }] };
    expect(answer.choices[0].message).toEqual({
      role: "assistant",
      content: "Yes.",
      refusal: null,
      reasoning_content: thought,
    });
  });

  it.each([
    { case: "none were offered", offer: {} },
    { case: "their use is forbidden", offer: { tools, tool_choice: "none" as const } },
  ])("calls no tools if $case", async ({ offer }) => {
    await using server = await openModelServer(scenarioOf({ calls }));
    const { choices } = await clientOf(server).chat.completions.create({ ...prompt, ...offer });
    expect(choices[0]).toMatchObject({
      finish_reason: "stop",
      message: { content: "There is nothing to say." },
    });
  });

  it("goes through a script as the same tools are called and answered, and takes back what it said", async () => {
    await using server = await openModelServer(
      scenarioOf({ text: "Look.", calls }, { calls }, { text: "Done." }),
    );
    const client = clientOf(server);
    const messages: Messages = [...prompt.messages];
    for (let turn = 0; turn < 2; turn += 1) {
      const { choices } = await client.chat.completions.create({ model: "m", messages, tools });
      const said = choices[0]?.message as OpenAI.ChatCompletionMessage;
      messages.push(said);
      for (const { id } of said.tool_calls ?? []) {
        messages.push({ role: "tool", tool_call_id: id, content: `result ${turn}` });
      }
    }
    const { choices } = await client.chat.completions.create({ model: "m", messages, tools });
    expect(choices[0]).toMatchObject({ finish_reason: "stop", message: { content: "Done." } });
    expect(server.requests.map(({ status, rule, step }) => ({ status, rule, step }))).toEqual(
      [0, 1, 2].map((step) => ({ status: 200, rule: "go", step })),
    );
  });

  it("answers with the error of a step, also where a stream was asked for", async () => {
    const error = { status: 429, type: "requests", message: "Slow down." };
    await using server = await openModelServer(scenarioOf({ error }));
    const response = await ask(server, { ...go, stream: true });
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 429,
      body: { error: { message: "Slow down.", type: "requests", param: null, code: "rate_limit_exceeded" } },
    });
  });

  it("refuses a wrong request with an error as the API has it", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Yes." }));
    const response = await ask(server, request());
    expect({ status: response.status, body: await response.json() }).toEqual({
      status: 400,
      body: {
        error: {
          message:
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
          type: "invalid_request_error",
          param: "messages",
          code: "empty_array",
        },
      },
    });
  });

  it("lists a model, answers without /v1, and knows no other address", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Yes." }));
    const { data } = await clientOf(server).models.list();
    expect(data).toEqual([{ id: "scripted", object: "model", created: 1_700_000_000, owned_by: "carryon" }]);
    expect((await ask(server, go, "/chat/completions")).status).toBe(200);
    const other = await ask(server, go, "/v1/responses");
    expect({ status: other.status, body: await other.json() }).toEqual({
      status: 404,
      body: {
        error: {
          message: "Invalid URL (POST /v1/responses)",
          type: "invalid_request_error",
          param: null,
          code: null,
        },
      },
    });
    const locked = await fetch(`${server.url}/v1/models`);
    expect(locked.status).toBe(401);
  });
});
