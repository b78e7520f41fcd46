import { toPrintableLine } from "../../lib/printable.ts";
import type { Style } from "../../lib/style.ts";
import { wrap } from "../../lib/terminal-text.ts";
import type { SnippetPart } from "../../sessions/search-index.ts";

/** Where there are no colours, signs tell what matched. */
const signs = ["»", "«"] as const;

/** Renders a snippet on one line, what matched between signs. */
export function markPlainly(snippet: readonly SnippetPart[]): string {
  const [open, close] = signs;
  return snippet
    .map(({ text, isMatch }) => {
      const shown = toPrintableLine(text);
      return isMatch ? `${open}${shown}${close}` : shown;
    })
    .join("")
    .replace(/ {2,}/g, " ");
}

/** Tells whether colours tell what matched. */
function hasColours(style: Style): boolean {
  return style.bold("x") !== "x";
}

/** Returns a text so that it is seen to have matched. */
export function markOne(text: string, style: Style): string {
  return hasColours(style) ? style.bold(style.yellow(text)) : `${signs[0]}${text}${signs[1]}`;
}

/** Renders a snippet in lines that fit, each beginning with an indent, and at most so many. */
export function markLines(
  snippet: readonly SnippetPart[],
  { width, style, indent, most }: { width: number; style: Style; indent: string; most: number },
): readonly string[] {
  if (!hasColours(style)) return cut(markPlainly(snippet), { width, indent, most });
  const plain = snippet.map(({ text }) => collapse(text)).join("");
  let from = 0;
  return cut(plain, { width, indent, most }).map((line) => {
    const text = line.slice(indent.length).replace(/…$/, "");
    const start = Math.max(from, plain.indexOf(text, from));
    from = start + text.length;
    return indent + colour(snippet, start, from, style) + line.slice(indent.length + text.length);
  });
}

function collapse(text: string): string {
  return toPrintableLine(text).replace(/ {2,}/g, " ");
}

/** Colours what matched between two places of a snippet. */
function colour(snippet: readonly SnippetPart[], from: number, to: number, style: Style): string {
  let at = 0;
  return snippet
    .map(({ text, isMatch }) => {
      const shown = collapse(text);
      const piece = shown.slice(Math.max(0, from - at), Math.max(0, to - at));
      at += shown.length;
      return isMatch && piece !== "" ? markOne(piece, style) : piece;
    })
    .join("");
}

function cut(text: string, { width, indent, most }: { width: number; indent: string; most: number }) {
  if (!Number.isFinite(width)) return [indent + text];
  const lines = wrap(text, width - 1, indent).split("\n");
  const kept = lines.slice(0, most);
  return lines.length > most ? [...kept.slice(0, -1), `${kept.at(-1)}…`] : kept;
}
