/** What one side said until the other spoke, as far as an answer depends on it. */
export interface Turn {
  readonly role: "user" | "assistant";
  readonly texts: readonly string[];
  /** Whether it holds results of tools; only a turn of the user does. */
  readonly answersCalls: boolean;
}

/** A conversation as a scenario sees it, in whatever protocol it was sent. */
export interface Conversation {
  readonly model: string;
  /** The system prompt; empty where there is none. */
  readonly system: string;
  readonly turns: readonly Turn[];
}
