/** What a request must know of a model. */
export interface OpenaiTraits {
  readonly contextTokens: number;
  /** Whether it is one of OpenAI's own that thinks before it answers; they have other words for some settings. */
  readonly isReasoning: boolean;
  /** Whether it calls tools only when it is told not to think. */
  readonly callsWithoutThinking: boolean;
}

/** By the beginning of the name; the first one that fits. */
const known: readonly (readonly [prefix: RegExp, contextTokens: number])[] = [
  [/^gpt-(5\.[4-9]|[6-9])/, 1_050_000],
  [/^gpt-5(\.\d)?-chat/, 128_000],
  [/^gpt-5/, 400_000],
  [/^gpt-4\.1/, 1_047_576],
  [/^o\d/, 200_000],
  [/^gpt-4(-0|-32k|$)/, 8192],
  [/^gpt-3/, 16_385],
];

/** Says what is known of a model by its name; of a server of somebody else only what is most common. */
export function openaiTraits(model: string): OpenaiTraits {
  const contextTokens = known.find(([prefix]) => prefix.test(model))?.[1] ?? 128_000;
  return {
    contextTokens,
    isReasoning: /^(o\d|gpt-[5-9])/.test(model),
    callsWithoutThinking: /^gpt-(5\.[4-9]|[6-9])/.test(model),
  };
}
