import { toPrintableLine } from "../lib/printable.ts";
import type { Look } from "../lib/style.ts";
import { wrap } from "../lib/terminal-text.ts";
import type { Gate } from "./gate.ts";

/** Renders what a gate asks for, in the words of the configuration; nothing where it has none. */
export function renderWords(gate: Gate, look: Look): string {
  const lines = describeWords(gate);
  if (lines.length === 0) return "";
  return [`\n${toPrintableLine(gate.name)}\n`, ...lines.map((line) => renderBelow(line, "  ", look))].join(
    "",
  );
}

/** Returns the lines of what a gate asks for. */
export function describeWords({ description, message, checklist }: Gate): readonly string[] {
  const texts = [description, message].flatMap((text) => text?.split("\n") ?? []);
  return [...texts.filter((line) => line.trim() !== ""), ...checklist.map((item) => `- [ ] ${item}`)];
}

/** Renders a text below something, broken where the terminal ends. */
export function renderBelow(text: string, indent: string, { style, columns }: Look): string {
  const line = toPrintableLine(text);
  return `${style.dim(columns === undefined ? indent + line : wrap(line, columns, indent))}\n`;
}
