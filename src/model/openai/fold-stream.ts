import type { ChatCompletionChunk } from "openai/resources/chat/completions";
import type { Usage } from "../../sessions/entry.ts";
import type { Fold, Told } from "../make-model.ts";
import { parseCallInput, type ReplyEnd, type ReplyPart } from "../model.ts";

/** A call that grows. */
interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly isTold: boolean;
}

/** What has come of an answer. */
export interface Folded {
  readonly model: string;
  readonly text: string;
  readonly thinking: string;
  readonly refusal: string;
  readonly calls: ReadonlyMap<number, Call>;
  readonly usage: Usage;
  readonly finishReason: string | null;
}

/** A piece as servers send it. Those that run models which think have two names for the words of a thought. */
export type Chunk = Omit<ChatCompletionChunk, "choices"> & {
  readonly choices?: readonly {
    readonly delta?: Delta | null;
    readonly finish_reason?: string | null;
  }[];
};
type Delta = Partial<Omit<ChatCompletionChunk.Choice.Delta, "tool_calls">> & {
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly Fragment[] | null;
};
interface Fragment {
  readonly index?: number;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null;
}

/** Puts the pieces of a chat completion together. */
export const foldStream: Fold<Chunk, Folded> = {
  begin: { model: "", text: "", thinking: "", refusal: "", calls: new Map(), usage: {}, finishReason: null },
  take: (state, chunk) => {
    const choice = chunk.choices?.[0];
    const delta = choice?.delta ?? {};
    const thinking = delta.reasoning_content ?? (typeof delta.reasoning === "string" ? delta.reasoning : "");
    const text = delta.content ?? "";
    const { calls, told } = addFragments(state.calls, delta.tool_calls ?? []);
    return {
      state: {
        model: state.model || (chunk.model ?? ""),
        text: state.text + text,
        thinking: state.thinking + thinking,
        refusal: state.refusal + (delta.refusal ?? ""),
        calls,
        usage: toUsage(chunk.usage) ?? state.usage,
        finishReason: choice?.finish_reason ?? state.finishReason,
      },
      told: [
        ...tell("thinking", thinking),
        ...tell("text", text),
        ...tell("text", delta.refusal ?? ""),
        ...told,
      ],
    };
  },
  finish: (state) => {
    if (state.finishReason === null) return undefined;
    const parts = toParts(state);
    return { parts, end: toEnd(state, parts), model: state.model, usage: state.usage };
  },
};

function tell(type: "text" | "thinking", text: string): Told[] {
  return text === "" ? [] : [{ type, text }];
}

/** Joins the fragments of calls by their index; a server that gives none sends each call whole. */
function addFragments(calls: ReadonlyMap<number, Call>, fragments: readonly Fragment[]) {
  const grown = new Map(calls);
  const told: Told[] = [];
  for (const { index, id, function: piece } of fragments) {
    const at = index ?? findCall(grown, id ?? "");
    const before = grown.get(at) ?? { id: "", name: "", input: "", isTold: false };
    const name = before.name + (piece?.name ?? "");
    if (!before.isTold && name !== "") told.push({ type: "call", name });
    grown.set(at, {
      id: before.id || (id ?? ""),
      name,
      input: before.input + (piece?.arguments ?? ""),
      isTold: before.isTold || name !== "",
    });
  }
  return { calls: grown, told };
}

function findCall(calls: ReadonlyMap<number, Call>, id: string): number {
  const known = [...calls].find(([, call]) => id !== "" && call.id === id)?.[0];
  if (known !== undefined) return known;
  return id === "" && calls.size > 0 ? Math.max(...calls.keys()) : calls.size;
}

function toParts({ thinking, text, refusal, calls }: Folded): readonly ReplyPart[] {
  const said = text + refusal;
  return [
    ...(thinking === "" ? [] : [{ type: "thinking" as const, text: thinking }]),
    ...(said === "" ? [] : [{ type: "text" as const, text: said }]),
    ...[...calls].map(([index, { id, name, input }]) => ({
      type: "tool-call" as const,
      call: id || `call_${index}`,
      name,
      input: parseCallInput(input),
    })),
  ];
}

function toEnd({ finishReason, refusal }: Folded, parts: readonly ReplyPart[]): ReplyEnd {
  if (finishReason === "length") return "length";
  if (finishReason === "content_filter" || refusal !== "") return "refused";
  // Many servers say `stop` after calls.
  return parts.some(({ type }) => type === "tool-call") ? "calls" : "done";
}

/** Servers count what they had cached among what was sent; elsewhere it stands beside it. */
function toUsage(wire: ChatCompletionChunk["usage"]): Usage | undefined {
  if (wire === undefined || wire === null) return undefined;
  const cached = wire.prompt_tokens_details?.cached_tokens ?? undefined;
  return {
    inputTokens: Math.max((wire.prompt_tokens ?? 0) - (cached ?? 0), 0),
    outputTokens: wire.completion_tokens ?? 0,
    ...(cached === undefined ? {} : { cacheReadTokens: cached }),
  };
}
