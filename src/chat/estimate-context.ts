import type { ToolOffer } from "../model/model.ts";
import type { Entry, Message, Part, Usage } from "../sessions/entry.ts";
import { visibleTalk } from "../sessions/visible-talk.ts";
import { describeSummary } from "./notes.ts";
import { sinceSummary } from "./stretch.ts";

const fields = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"] as const;

/** Returns the sum of two usages; what neither tells stays untold. */
export function addUsage(one: Usage, other: Usage): Usage {
  const told = fields.filter((field) => one[field] !== undefined || other[field] !== undefined);
  return Object.fromEntries(told.map((field) => [field, (one[field] ?? 0) + (other[field] ?? 0)]));
}

/** Returns how many tokens a request and its reply took. */
function totalTokens(usage: Usage): number {
  return fields.reduce((sum, field) => sum + (usage[field] ?? 0), 0);
}

/** How many bytes a token is, about: four letters of English, or a little more than one character of Chinese. */
const bytesPerToken = 4;
/** What a message costs beside its words. */
const tokensPerMessage = 4;

/** Returns how many tokens a text takes, about. */
function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}

/** Returns how many tokens a message takes, about. */
export function estimateMessage({ parts }: Pick<Message, "parts">): number {
  return parts.reduce((sum, part) => sum + estimatePart(part), tokensPerMessage);
}

/**
 * Returns how many tokens the next request takes, about: what the provider has counted for the last reply, and what came
 * since; where it has not counted, all of it by its length.
 */
export function estimateContext(
  entries: readonly Entry[],
  { system, tools }: { readonly system: string; readonly tools: readonly ToolOffer[] },
): number {
  const recent = sinceSummary(entries);
  const place = recent.findLastIndex((entry) => countedIn(entry) > 0);
  const counted = recent[place];
  if (counted !== undefined) {
    const since = recent.slice(place + 1).filter((entry) => entry.kind === "message");
    return countedIn(counted) + sum(since);
  }
  const { summary, messages } = visibleTalk(entries);
  const record = summary === undefined ? 0 : estimateTokens(describeSummary(summary));
  const offers = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
  return estimateTokens(system) + offers + record + sum(messages);
}

/** Returns what a provider has counted for a reply; 0 where it does not count, as some servers do not. */
function countedIn(entry: Entry): number {
  return entry.kind === "message" && entry.usage !== undefined ? totalTokens(entry.usage) : 0;
}

function sum(messages: readonly Message[]): number {
  return messages.reduce((total, message) => total + estimateMessage(message), 0);
}

function estimatePart(part: Part): number {
  switch (part.type) {
    case "text":
    case "thinking":
      return estimateTokens(part.text);
    case "tool-call":
      return estimateTokens(part.name) + estimateTokens(JSON.stringify(part.input));
    case "tool-result":
      return estimateTokens(typeof part.output === "string" ? part.output : JSON.stringify(part.output));
    case "image":
    case "file":
    case "other":
      return tokensPerMessage;
  }
}
