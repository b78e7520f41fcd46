/** Who answers: Anthropic's Messages API, or any server that speaks OpenAI's chat completions. */
export interface Provider {
  /** As it stands before the name of a model: `anthropic/claude-…`. */
  readonly id: ProviderId;
  readonly title: string;
  readonly keyVariable: string;
  readonly hostVariable: string;
  readonly baseUrl: string;
  /** The model that is asked when nobody says which. */
  readonly defaultModel: string;
}

export type ProviderId = "anthropic" | "openai";

export const providers: { readonly [Id in ProviderId]: Provider } = {
  anthropic: {
    id: "anthropic",
    title: "Anthropic",
    keyVariable: "ANTHROPIC_API_KEY",
    hostVariable: "ANTHROPIC_BASE_URL",
    baseUrl: "https://api.anthropic.com",
    defaultModel: "claude-sonnet-5-5",
  },
  openai: {
    id: "openai",
    title: "OpenAI",
    keyVariable: "OPENAI_API_KEY",
    hostVariable: "OPENAI_BASE_URL",
    baseUrl: "https://api.openai.com/v1",
    defaultModel: "gpt-6.1-terra",
  },
};
