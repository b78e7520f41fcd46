import { describeAge } from "../lib/duration.ts";
import type { Look } from "../lib/style.ts";
import { wrapLine } from "../lib/terminal-text.ts";
import { type Brief, type BriefPart, describeOmitted } from "./render-brief.ts";

const indent = "  ";

/** Renders a brief as a page for a person: headings with ages, and text in the width of the terminal. */
export function renderBriefPage({ parts, omitted, more }: Brief, look: Look, now: Date): string {
  const rest = omitted.length === 0 ? more : `${describeOmitted(omitted)} ${more}`;
  return [
    ...parts.map((part) => renderPart(part, look, now)),
    `${look.style.dim(wrapLine(rest, look.columns))}\n`,
  ].join("\n");
}

function renderPart({ name, text, at }: BriefPart, { style, columns }: Look, now: Date): string {
  const age =
    at === undefined || at.getTime() === now.getTime() ? "" : style.dim(`, ${describeAge(at, now)}`);
  const lines = text.split("\n").map((line) => wrapIndented(line, columns));
  return `${style.bold(name)}${age}\n${lines.join("\n")}\n`;
}

/** What follows a line that is too long begins below its first word. */
function wrapIndented(line: string, columns: number | undefined): string {
  const [lead = ""] = /^ *(?:[-*] )?/.exec(line) ?? [];
  if (line.trim() === "") return "";
  const below = indent + " ".repeat(lead.length);
  return `${indent}${lead}${wrapLine(line.slice(lead.length), columns, below)}`;
}
