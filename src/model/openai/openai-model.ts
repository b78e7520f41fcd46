import type { Failure } from "../failure.ts";
import { makeModel, type Opening, type Post } from "../make-model.ts";
import type { Model, ModelRequest } from "../model.ts";
import type { Asked } from "../model-errors.ts";
import { watchSilence } from "../watch-silence.ts";
import { type Chunk, foldStream } from "./fold-stream.ts";
import {
  chooseEffort,
  nothing,
  type Omissions,
  type OpenaiTraits,
  openaiTraits,
  toRefused,
  toRequest,
} from "./to-request.ts";

/** Opens a model of a server that speaks OpenAI's chat completions. */
export function openOpenaiModel(asked: Asked, opening: Opening): Model {
  const traits = openaiTraits(asked.model);
  return makeModel(asked, opening, {
    contextTokens: traits.contextTokens,
    fold: foldStream,
    nothing,
    load: () => loadClient(asked, opening),
    toBody: (request, omissions) => toRequest(request, asked.model, traits, omissions),
    findOmission: (failure, request, omissions) => findOmission(failure, request, traits, omissions),
  });
}

async function loadClient({ key }: Asked, { baseUrl, timeouts }: Opening): Promise<Post<Chunk>> {
  const { OpenAI } = await import("openai");
  const client = new OpenAI({
    apiKey: key ?? "none",
    baseURL: baseUrl,
    ...{ adminAPIKey: null, organization: null, project: null, webhookSecret: null },
    ...(key === undefined ? { defaultHeaders: { authorization: null } } : {}),
    maxRetries: 0,
    // Our own limits are shorter, and know a server that is slow from one that is silent.
    timeout: 2 ** 31 - 1,
    fetch: watchSilence(timeouts),
    logLevel: "off",
  });
  return (body, signal) => client.post("/chat/completions", { body, signal, stream: true });
}

/** Says what a server may take the request without; undefined when there is nothing more. */
function findOmission(
  failure: Failure,
  request: ModelRequest,
  traits: OpenaiTraits,
  { efforts, force, usage }: Omissions,
): Partial<Omissions> | undefined {
  if (failure.type !== "answered" || (failure.status !== 400 && failure.status !== 422)) return undefined;
  const { message } = failure;
  if (/stream_options|include_usage/.test(message) && !usage) return { usage: true };
  if (/tool_choice/.test(message) && request.mustCall !== undefined && !force) return { force: true };
  const effort = chooseEffort(request, traits, efforts);
  if (!/reasoning/.test(message) || effort === undefined) return undefined;
  const refused = new Set(efforts).add(toRefused(request, effort));
  return chooseEffort(request, traits, refused) === undefined ? undefined : { efforts: refused };
}
