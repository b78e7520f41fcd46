import type { BraceExpansionPart } from "unbash";
import { exactly, type KnownText, tame } from "./argument.ts";

const plain = /^\{[^\\'"$`<>()*?[\]{}]*\}$/;

/** Returns the texts that braces stand for, or `undefined` where they hold quotes, substitutions or more braces. */
export function expandBraces(part: BraceExpansionPart): readonly KnownText[] | undefined {
  if (part.parts !== undefined || !plain.test(part.text)) return undefined;
  const pieces = part.text.slice(1, -1).split(",");
  // `{1..3}` gives numbers or letters.
  return pieces.length === 1 ? [tame] : pieces.map(exactly);
}
