import type { Failure } from "../failure.ts";
import type { ModelRequest } from "../model.ts";
import type { Omissions } from "./to-request.ts";

/**
 * Says what a server may take a request without; undefined when there is nothing more.
 *
 * The names of models tell what they take, but a server may call them as it likes, and there will be others.
 */
export function findOmission(
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
