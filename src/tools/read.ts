import { findPlace, readPlace, requireFile } from "./confine/place.ts";
import { defineInput, defineTool } from "./define-tool.ts";
import { toLines } from "./text/line-ends.ts";
import { type Encoding, readContent } from "./text/text-file.ts";
import { ToolRefused } from "./tool.ts";

/** What is said after the lines has room too. */
const noteRoom = 300;

export const readTool = defineTool({
  name: "read",
  effect: "reads",
  description: [
    "Read a text file of the work folder. Each line comes with its number and a tab, which are not part of the file.",
    "A long file comes in pieces: the last line of the output says how to read on. Read a file before you edit it.",
    "For what is in a folder use list; to find where something is, search.",
  ].join(" "),
  input: defineInput({
    path: {
      type: "string",
      least: 1,
      description: "The file, relative to the work folder, such as src/main.ts.",
    },
    from: {
      type: "integer",
      least: 1,
      optional: true,
      description: "The first line to read; 1 unless given.",
    },
    to: {
      type: "integer",
      least: 1,
      optional: true,
      description: "The last line to read; the end unless given.",
    },
  }),
  describe: ({ path, from, to }) => `${path}${describeRange(from, to)}`,
  run: async ({ path, from = 1, to = Number.MAX_SAFE_INTEGER }, surroundings) => {
    if (from > to) throw new ToolRefused(`from (${from}) is greater than to (${to}).`);
    const place = requireFile(await findPlace(surroundings, path));
    const content = readContent((await readPlace(place, surroundings)).bytes);
    if (content.type === "binary")
      throw new ToolRefused(`${place.shown} is ${content.what}, and has no lines.`);
    const lines = toLines(content.text.replace(/^\ufeff/, ""));
    if (lines.length === 0) return `[${place.shown} is empty.]`;
    if (from > lines.length)
      throw new ToolRefused(`${place.shown} has ${lines.length} lines, and none with the number ${from}.`);
    const mostCharacters = surroundings.limits.outputCharacters - noteRoom;
    const { text, last } = numberLines(lines, { from, to, mostCharacters });
    return `${text}${describeRest(last, Math.min(to, lines.length), lines.length)}${describeEncoding(content.encoding)}`;
  },
});

function describeRange(from: number | undefined, to: number | undefined): string {
  if (from === undefined && to === undefined) return "";
  return to === undefined ? ` (from line ${from})` : ` (lines ${from ?? 1} to ${to})`;
}

function describeRest(last: number, wanted: number, all: number): string {
  if (last === all) return "";
  const rest = last < wanted ? ` Read on with from: ${last + 1}.` : "";
  return `[The file has ${all} lines.${rest}]\n`;
}

function describeEncoding(encoding: Encoding): string {
  switch (encoding) {
    case "utf-8":
      return "";
    case "utf-16le":
    case "utf-16be":
      return "[The file is UTF-16, which edit does not change.]\n";
    case "unknown":
      return "[The file is not UTF-8: bytes that are none are shown as \ufffd, and edit does not change it.]\n";
  }
}

/** Which lines are wanted, from 1 on and both included, and how many characters they may have. */
interface LineRange {
  readonly from: number;
  readonly to: number;
  readonly mostCharacters: number;
}

/** Lines with their numbers, and the last one that had room. */
interface NumberedLines {
  readonly text: string;
  readonly last: number;
}

/** More of a line is no line that somebody wrote. */
const longestLine = 2000;

/** Writes lines with their numbers, as many as there is room for; at least one. */
function numberLines(lines: readonly string[], { from, to, mostCharacters }: LineRange): NumberedLines {
  const width = String(Math.min(to, lines.length)).length;
  const written: string[] = [];
  let room = mostCharacters;
  for (let number = from; number <= Math.min(to, lines.length); number += 1) {
    const line = `${String(number).padStart(width)}\t${shorten(lines[number - 1] ?? "")}\n`;
    if (line.length > room && written.length > 0) break;
    written.push(line);
    room -= line.length;
  }
  return { text: written.join(""), last: from + written.length - 1 };
}

function shorten(line: string): string {
  if (line.length <= longestLine) return line;
  return `${line.slice(0, longestLine)} [… ${line.length - longestLine} more characters in this line]`;
}
