import {
  type EditorTheme,
  Markdown,
  type MarkdownTheme,
  type SelectListTheme,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import type { Style } from "../../../lib/style.ts";
import { trimLine } from "./trim-line.ts";

/** Renders Markdown whose characters are printable already. */
export function renderMarkdown(text: string, width: number, style: Style): readonly string[] {
  // What a model calls a formula is shown as it wrote it: dollars are variables and prices more often.
  const options = { preserveOrderedListMarkers: true, renderLatex: false };
  try {
    return new Markdown(text, 0, 0, markdownTheme(style), undefined, options).render(width).map(trimLine);
  } catch {
    // A text that the renderer fails on would end the chat, and every chat that shows it again.
    return wrapStyled(text, width);
  }
}

/** Breaks a text that may have colours into lines that fit. */
export function wrapStyled(text: string, width: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapTextWithAnsi(line, Math.max(2, width)).map(trimLine));
}

function markdownTheme(style: Style): MarkdownTheme {
  const same = (text: string) => text;
  return {
    heading: style.cyan,
    link: style.cyan,
    linkUrl: style.dim,
    code: style.yellow,
    codeBlock: same,
    codeBlockBorder: style.dim,
    quote: style.dim,
    quoteBorder: style.dim,
    hr: style.dim,
    listBullet: style.cyan,
    bold: style.bold,
    italic: style.italic,
    strikethrough: style.strikethrough,
    underline: style.underline,
  };
}

/** Makes the colours of the line editor. */
export function editorTheme(style: Style): EditorTheme {
  const selectList: SelectListTheme = {
    selectedPrefix: style.cyan,
    selectedText: style.cyan,
    description: style.dim,
    scrollInfo: style.dim,
    noMatch: style.dim,
  };
  return { borderColor: style.dim, selectList };
}
