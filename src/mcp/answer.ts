import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { toPrintable } from "../lib/printable.ts";
import { cutText, quote } from "../memory/quote.ts";
import { hideSecrets } from "../redaction/hide-secrets.ts";

/** The facts of an answer have at most so many items in a list, and so many characters in a text. */
const mostItems = 100;
const longestText = 2_000;

/** What a program can read of an answer. */
export type Facts = Readonly<Record<string, unknown>>;

/** Makes an answer of our own words and of what is quoted below them. */
export function makeAnswer(said: string, quoted = ""): CallToolResult {
  return { content: [{ type: "text", text: quote(said, quoted) }] };
}

/**
 * Makes an answer whose facts a program can read.
 *
 * Clients may give a model the facts alone, so that what others wrote stands in them as it does in the text: quoted.
 */
export function makeFactualAnswer(said: string, facts: Facts, quoted = ""): CallToolResult {
  const remarks = quoted === "" ? {} : { remarks: quote("There is more to say.", quoted) };
  return { ...makeAnswer(said, quoted), structuredContent: { ...toShortFacts(facts), ...remarks } };
}

function toShortFacts(facts: Facts): Record<string, unknown> {
  return JSON.parse(JSON.stringify(facts), (_key, value: unknown) => {
    if (Array.isArray(value)) return value.slice(0, mostItems);
    return typeof value === "string" ? cutText(hideSecrets(toPrintable(value)), longestText) : value;
  });
}
