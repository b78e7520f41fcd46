import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import type { Failure } from "../failure.ts";
import { makeModel, type Opening, type Post } from "../make-model.ts";
import type { Model, ModelRequest } from "../model.ts";
import type { Asked } from "../model-errors.ts";
import { watchSilence } from "../watch-silence.ts";
import { foldStream } from "./fold-stream.ts";
import { claudeTraits, nothing, type Omissions, toRequest } from "./to-request.ts";

/** Opens a model of Anthropic, or of a server that speaks its Messages API. */
export function openAnthropicModel(asked: Asked, opening: Opening): Model {
  const traits = claudeTraits(asked.model);
  return makeModel(asked, opening, {
    contextTokens: traits.contextTokens,
    fold: foldStream,
    nothing,
    load: () => loadClient(asked, opening),
    toBody: (request, omissions) => toRequest(request, asked.model, traits, omissions),
    findOmission,
  });
}

async function loadClient(
  { key }: Asked,
  { baseUrl, timeouts }: Opening,
): Promise<Post<RawMessageStreamEvent>> {
  const { Anthropic } = await import("@anthropic-ai/sdk");
  const client = new Anthropic({
    apiKey: key ?? "none",
    baseURL: baseUrl,
    webhookKey: null,
    maxRetries: 0,
    // Our own limits are shorter, and know a server that is slow from one that is silent.
    timeout: 2 ** 31 - 1,
    fetch: watchSilence(timeouts),
    logLevel: "off",
    openTelemetry: false,
  });
  // Not by way of `messages.create`, which writes to the console about models that it finds old.
  return (body, signal) => client.post("/v1/messages", { body, signal, stream: true });
}

/**
 * Says what a server may take a request without; undefined when there is nothing more.
 *
 * The names of models tell what they take, but a server may call them as it likes, and there will be others.
 */
function findOmission(
  failure: Failure,
  request: ModelRequest,
  { thoughts, force, thinking, outputTokens }: Omissions,
): Partial<Omissions> | undefined {
  if (failure.type !== "answered" || failure.status !== 400) return undefined;
  const { message } = failure;
  const limit = /max_tokens: \d+ > (\d+)/.exec(message)?.[1];
  if (limit !== undefined && outputTokens === undefined) return { outputTokens: Number(limit) };
  if (message.includes("tool_choice") && request.mustCall !== undefined && !force) return { force: true };
  if (!message.includes("thinking")) return undefined;
  if (/signature|cannot be modified|bound to|expected/i.test(message)) {
    const more = listSignatures(request).filter((each) => !thoughts.has(each));
    return more.length === 0 ? undefined : { thoughts: new Set([...thoughts, ...more]) };
  }
  return /supported|not support|not allowed/i.test(message) && !thinking ? { thinking: true } : undefined;
}

/** The API checks that nothing before a thought has changed since: a summary, another system prompt or tool is enough. */
function listSignatures({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === "thinking" && part.signature !== undefined ? [part.signature] : [],
    ),
  );
}
