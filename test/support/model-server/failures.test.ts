import { APIError as AnthropicError } from "@anthropic-ai/sdk";
import { APIError as OpenAiError } from "openai";
import { describe, expect, it } from "vitest";
import { openModelServer } from "./open-model-server.ts";
import type { Scenario, Step } from "./scenario.ts";
import { twoClients } from "./two-clients.ts";

const scenarioOf = (step: Step): Scenario => ({
  rules: [
    { when: "go", steps: [step] },
    { when: "still there", steps: [{ text: "Yes." }] },
  ],
});

/** Reads a reply until it ends or fails, and returns what came of it. */
async function hear(pieces: AsyncIterable<string>): Promise<{ heard: string; failure: unknown }> {
  let heard = "";
  try {
    for await (const piece of pieces) heard += piece;
    return { heard, failure: undefined };
  } catch (failure) {
    return { heard, failure };
  }
}

describe.each(twoClients)("a scripted failure, told to a client of $name,", ({ stream, ask, name }) => {
  it("comes as often as the step says, and then the rest of the step is said", async () => {
    const error = { status: 529, times: 2, retryAfterMs: 1 };
    await using server = await openModelServer(scenarioOf({ text: "At last.", error }));
    expect(await hear(stream(server, "go", { maxRetries: 2 }))).toEqual({
      heard: "At last.",
      failure: undefined,
    });
    expect(server.requests.map(({ status, failure, step }) => ({ status, failure, step }))).toEqual([
      { status: 529, failure: "error", step: 0 },
      { status: 529, failure: "error", step: 0 },
      { status: 200, failure: undefined, step: 0 },
    ]);
  });

  it("comes anew in another conversation", async () => {
    await using server = await openModelServer(
      scenarioOf({ text: "Yes.", error: { status: 500, times: 1 } }),
    );
    const statuses: number[] = [];
    for (const prompt of ["go", "go on", "go", "go on"]) statuses.push((await ask(server, prompt)).status);
    expect(statuses).toEqual([500, 500, 200, 200]);
  });

  it("comes always where nothing else is said", async () => {
    await using server = await openModelServer(scenarioOf({ error: { status: 500, retryAfterMs: 1 } }));
    const { heard, failure } = await hear(stream(server, "go", { maxRetries: 2 }));
    expect({ heard, failure }).toMatchObject({ heard: "", failure: { status: 500 } });
    expect(server.requests.map(({ status }) => status)).toEqual([500, 500, 500]);
  });

  it("says when to try again, in seconds and in milliseconds", async () => {
    const error = { status: 429, retryAfter: 2, retryAfterMs: 1500 };
    await using server = await openModelServer(scenarioOf({ error }));
    const { headers } = await ask(server, "go");
    expect([headers.get("retry-after"), headers.get("retry-after-ms")]).toEqual(["2", "1500"]);
  });

  it("can come in the middle of a stream", async () => {
    const error = { status: 529, at: "middle" as const };
    await using server = await openModelServer(scenarioOf({ text: "Half of it.", error }));
    const { heard, failure } = await hear(stream(server, "go"));
    expect(heard).toBe("Half o");
    expect(failure).toBeInstanceOf(name === "OpenAI" ? OpenAiError : AnthropicError);
    expect(String(failure)).toMatch(/overloaded/i);
    expect(server.requests[0]).toMatchObject({ status: 200, failure: "error" });
  });

  it("can come in the middle only where something is streamed, else at once", async () => {
    await using server = await openModelServer(
      scenarioOf({ text: "Half of it.", error: { status: 500, at: "middle" } }),
    );
    expect((await ask(server, "go")).status).toBe(500);
  });

  it("drops the connection before anything is said", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Yes.", drop: { at: "start", times: 1 } }));
    await expect(ask(server, "go")).rejects.toThrow("fetch failed");
    expect(await hear(stream(server, "go", { maxRetries: 1 }))).toEqual({
      heard: "Yes.",
      failure: undefined,
    });
    expect(server.requests.map(({ failure }) => failure)).toEqual(["drop", undefined]);
  });

  it("drops the connection after half of a stream", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Half of it.", drop: { at: "middle" } }));
    const { heard, failure } = await hear(stream(server, "go", { maxRetries: 1 }));
    expect(heard).toBe("Half o");
    expect(failure).toBeInstanceOf(Error);
    expect(server.requests.map((each) => each.failure)).toEqual(["drop"]);
  });

  it("drops the connection after half of an answer that is not streamed", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Half of it.", drop: { at: "middle" } }));
    const response = await ask(server, "go");
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow("terminated");
  });

  it.each(["start", "middle"] as const)("hangs from the %s on, and outlives the client", async (at) => {
    await using server = await openModelServer(scenarioOf({ text: "Half of it.", hang: { at } }));
    const leaving = new AbortController();
    const hearing = hear(stream(server, "go", { signal: leaving.signal }));
    const seen = await server.waitFor(() => true);
    expect(seen.failure).toBe("hang");
    expect((await ask(server, "still there")).status).toBe(200);
    leaving.abort();
    const { heard } = await hearing;
    expect("Half o".startsWith(heard)).toBe(true);
  });

  it("hangs after half of a stream", async () => {
    await using server = await openModelServer(scenarioOf({ text: "Half of it.", hang: { at: "middle" } }));
    let heard = "";
    for await (const piece of stream(server, "go")) {
      heard += piece;
      break;
    }
    expect(heard).toBe("Half o");
  });

  it("lets a server close that hangs", async () => {
    const server = await openModelServer(scenarioOf({ hang: { at: "start" } }));
    const asking = expect(ask(server, "go")).rejects.toThrow("fetch failed");
    await server.waitFor(() => true);
    await server[Symbol.asyncDispose]();
    await asking;
  });
});

const overloaded = "The server is currently overloaded with other requests. Sorry about that!";
const broken = "The server had an error while processing your request. Sorry about that!";
const [anthropic, openai] = twoClients;

it.each([
  {
    client: anthropic,
    status: 429,
    error: {
      type: "rate_limit_error",
      message: "This request would exceed your organization's rate limit. Please try again later.",
    },
  },
  { client: anthropic, status: 500, error: { type: "api_error", message: "Internal server error" } },
  { client: anthropic, status: 529, error: { type: "overloaded_error", message: "Overloaded" } },
  {
    client: openai,
    status: 429,
    error: {
      type: "requests",
      message: "Rate limit reached. Please try again later.",
      param: null,
      code: "rate_limit_exceeded",
    },
  },
  { client: openai, status: 500, error: { type: "server_error", message: broken, param: null, code: null } },
  {
    client: openai,
    status: 529,
    error: { type: "server_error", message: overloaded, param: null, code: null },
  },
])("answers $status in the words of $client.name", async ({ client, status, error }) => {
  await using server = await openModelServer(scenarioOf({ error: { status } }));
  const response = await client?.ask(server, "go");
  expect({ status: response?.status, body: await response?.json() }).toMatchObject({
    status,
    body: { error },
  });
});
