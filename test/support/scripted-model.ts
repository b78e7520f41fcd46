import type { Model, ModelEvent, ModelReply, ModelRequest, ReplyPart } from "../../src/model/model.ts";
import type { Json, ToolCallPart, Usage } from "../../src/sessions/entry.ts";

/** One answer of a scripted model: the whole reply, or how it breaks off. */
export interface Scripted {
  readonly thinking?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly call: string; readonly name: string; readonly input: Json }[];
  readonly end?: ModelReply["end"];
  readonly usage?: Usage;
  /** Thrown after as much of the reply as there is text. */
  readonly error?: unknown;
  /** Waits for ever after its text, until it is aborted. */
  readonly hangs?: true;
}

export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[];
}

/** A model that answers one request after another as it is told; a function decides by the request. */
export function scriptedModel(
  answers: readonly Scripted[] | ((request: ModelRequest, index: number) => Scripted),
  { name = "anthropic/model-x", contextTokens = 100_000 } = {},
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    name,
    contextTokens,
    requests,
    async *stream(request, signal) {
      const index = requests.push(structuredClone(request)) - 1;
      const answer = typeof answers === "function" ? answers(request, index) : answers[index];
      if (answer === undefined) throw new Error(`The script has no answer to request ${index + 1}.`);
      signal.throwIfAborted();
      yield* tell(answer);
      if (answer.hangs) await untilAborted(signal);
      signal.throwIfAborted();
      if (answer.error !== undefined) throw answer.error;
      yield { type: "reply", reply: toReply(answer, name) };
    },
  };
}

function* tell({ thinking, text, calls = [] }: Scripted): Generator<ModelEvent> {
  if (thinking !== undefined) yield { type: "thinking", text: thinking };
  for (const word of text?.match(/\S+\s*|\s+/g) ?? []) yield { type: "text", text: word };
  for (const { name } of calls) yield { type: "call", name };
}

function toReply({ thinking, text, calls = [], end, usage }: Scripted, model: string): ModelReply {
  const parts: readonly ReplyPart[] = [
    ...(thinking === undefined ? [] : [{ type: "thinking", text: thinking, signature: "signed" } as const]),
    ...(text === undefined ? [] : [{ type: "text", text } as const]),
    ...calls.map((call): ToolCallPart => ({ type: "tool-call", ...call })),
  ];
  return { parts, end: end ?? (calls.length > 0 ? "calls" : "done"), model, usage: usage ?? {} };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
