import type { RawMessageStreamEvent } from "@anthropic-ai/sdk/resources/messages/messages";
import { makeModel, type Post } from "../make-model.ts";
import type { Model } from "../model.ts";
import type { Asked } from "../model-errors.ts";
import type { Opening } from "../opening.ts";
import { watchSilence } from "../watch-silence.ts";
import { claudeTraits } from "./claude-traits.ts";
import { findOmission } from "./find-omission.ts";
import { foldStream } from "./fold-stream.ts";
import { nothing, toRequest } from "./to-request.ts";

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
