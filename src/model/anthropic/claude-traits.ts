/** What a request must know of a model. */
export interface ClaudeTraits {
  readonly contextTokens: number;
  /** The most tokens that a reply of it may have. */
  readonly outputTokens: number;
  /** Whether it is told how much it may think, or decides that itself. */
  readonly thinks: "by-budget" | "as-it-sees-fit";
  /** What it is told when nobody wants it to think; nothing where it does not think unless told to. */
  readonly unasked: "nothing" | "disabled" | "between-tools" | "as-it-sees-fit";
  /** Whether it can be forced to call a tool. */
  readonly canBeForced: boolean;
}

/** A server of somebody else, or a model that came after this was written. */
const unknown: ClaudeTraits = {
  contextTokens: 200_000,
  outputTokens: 32_000,
  thinks: "by-budget",
  unasked: "nothing",
  canBeForced: true,
};

/**
 * Says what is known of a model by its name, such as `claude-haiku-4-5-20251001` or `claude-3-7-sonnet`.
 *
 * The API refuses what a model does not take: budgets of thinking from 4.7 on, a forced tool and thinking turned off on
 * some of those from 5.1 on.
 */
export function claudeTraits(model: string): ClaudeTraits {
  const [, family = "", major, minor = "0"] =
    /claude-(?:([a-z]+)-)?(\d+)(?:[-.](\d{1,2})(?!\d))?/.exec(model) ?? [];
  if (major === undefined)
    return model.includes("claude-") ? { ...unknown, thinks: "as-it-sees-fit" } : unknown;
  const version = Number(major) * 100 + Number(minor);
  if (version < 405) return unknown;
  if (version < 406) return { ...unknown, outputTokens: 64_000 };
  return {
    contextTokens: version < 407 ? 200_000 : 1_000_000,
    outputTokens: 128_000,
    thinks: "as-it-sees-fit",
    unasked: version < 500 ? "nothing" : unaskedOf(family, version),
    canBeForced: version <= 500 || family === "haiku",
  };
}

function unaskedOf(family: string, version: number): ClaudeTraits["unasked"] {
  if (family === "haiku") return "disabled";
  if (family === "sonnet") return version > 500 ? "between-tools" : "disabled";
  return family === "opus" && version === 500 ? "disabled" : "as-it-sees-fit";
}
