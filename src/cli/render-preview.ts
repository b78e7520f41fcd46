import { toPrintable } from "../lib/printable.ts";
import type { Style, TextStyle } from "../lib/style.ts";
import { wrap } from "../lib/terminal-text.ts";

/** Shows what a call would do, all of it, for who is asked about it; lines of a diff have their colours. */
export function renderPreview(preview: string, width: number, style: Style): readonly string[] {
  const lines = toPrintable(preview).replace(/\n$/, "").split("\n");
  return lines.flatMap((line) => {
    const paint = diffStyle(line, style);
    return wrap(line, width, "  ")
      .split("\n")
      .map((each) => paint(each));
  });
}

function diffStyle(line: string, style: Style): TextStyle {
  if (line.startsWith("+")) return style.green;
  if (line.startsWith("-")) return style.red;
  return line.startsWith("@@") || line.startsWith("… ") ? style.dim : (text) => text;
}

/** Tells whether the one line that describes a call says all of it. */
export function saysAll(description: string, preview: string): boolean {
  return description.includes(preview.trim());
}
