import type { ModelRequest } from "../model.ts";
import type { OpenaiTraits } from "./openai-traits.ts";

/** How much a model is told to think; of `unsaid` it decides itself. */
export type Effort = "none" | "low" | "medium" | "high" | "unsaid";

/** What a server has refused: an effort, with tools or without. */
export type RefusedEffort = `${Effort} ${"with" | "without"} tools`;

/**
 * Chooses how much a model is told to think, beside what was refused; undefined when nothing is left.
 *
 * The protocol knows no tokens of thinking. Many servers do not know this setting, and OpenAI's newer models call tools
 * here only when they do not think.
 */
export function chooseEffort(
  request: ModelRequest,
  traits: OpenaiTraits,
  refused: ReadonlySet<RefusedEffort>,
): Effort | undefined {
  const candidates = [
    firstChoice(request, traits),
    "unsaid",
    ...(hasTools(request) ? ["none"] : []),
  ] as Effort[];
  return candidates.find((effort) => !refused.has(toRefused(request, effort)));
}

export function toRefused(request: ModelRequest, effort: Effort): RefusedEffort {
  return `${effort} ${hasTools(request) ? "with" : "without"} tools`;
}

function firstChoice(request: ModelRequest, { callsWithoutThinking }: OpenaiTraits): Effort {
  const { thinkingTokens } = request;
  if (callsWithoutThinking && hasTools(request)) return "none";
  if (thinkingTokens === undefined) return "unsaid";
  if (thinkingTokens < 4096) return "low";
  return thinkingTokens < 16_384 ? "medium" : "high";
}

function hasTools({ tools = [] }: ModelRequest): boolean {
  return tools.length > 0;
}
