import type { Finding } from "./rule.ts";

/** Returns a text with something else in the place of each secret; these are in order and do not overlap. */
export function hideRanges(
  text: string,
  findings: readonly Finding[],
  mark: (kind: string, secret: string) => string,
): string {
  if (findings.length === 0) return text;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, kind } of findings) {
    parts.push(text.slice(from, start), mark(kind, text.slice(start, end)));
    from = end;
  }
  return parts.join("") + text.slice(from);
}
