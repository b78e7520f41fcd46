import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import type { ModelServer } from "./open-model-server.ts";

/** A client of one of the protocols, by its real SDK. */
interface TestClient {
  readonly name: string;
  /** Asks one question and yields the text of the reply as it comes. */
  stream(server: ModelServer, prompt: string, options?: ClientOptions): AsyncIterable<string>;
  /** Asks one question without a stream, by `fetch` alone. */
  ask(server: ModelServer, prompt: string, more?: object): Promise<Response>;
}

interface ClientOptions {
  /** How often the SDK asks again by itself; never unless told. */
  readonly maxRetries?: number;
  readonly signal?: AbortSignal;
}

const anthropic: TestClient = {
  name: "Anthropic",
  async *stream({ url }, prompt, { maxRetries = 0, signal } = {}) {
    const client = new Anthropic({ apiKey: "sk-test", baseURL: url, maxRetries });
    const events = await client.messages.create(
      { model: "m", max_tokens: 100, messages: [{ role: "user", content: prompt }], stream: true },
      { ...(signal === undefined ? {} : { signal }) },
    );
    for await (const event of events) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") yield event.delta.text;
    }
  },
  ask: ({ url }, prompt, more) =>
    fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": "sk-test", "anthropic-version": "2023-06-01" },
      body: JSON.stringify({
        model: "m",
        max_tokens: 100,
        messages: [{ role: "user", content: prompt }],
        ...more,
      }),
    }),
};

const openai: TestClient = {
  name: "OpenAI",
  async *stream({ url }, prompt, { maxRetries = 0, signal } = {}) {
    const client = new OpenAI({ apiKey: "sk-test", baseURL: `${url}/v1`, maxRetries });
    const chunks = await client.chat.completions.create(
      { model: "m", messages: [{ role: "user", content: prompt }], stream: true },
      { ...(signal === undefined ? {} : { signal }) },
    );
    for await (const { choices } of chunks) {
      const text = choices[0]?.delta.content;
      if (text) yield text;
    }
  },
  ask: ({ url }, prompt, more) =>
    fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer sk-test" },
      body: JSON.stringify({ model: "m", messages: [{ role: "user", content: prompt }], ...more }),
    }),
};

/** A client for each protocol that the server speaks. */
export const twoClients = [anthropic, openai];
