import {
  type FilePlace,
  type FoundFile,
  findPlace,
  readPlace,
  refuseGitFolder,
  requireFile,
} from "./confine/place.ts";
import { writePlace } from "./confine/write-place.ts";
import { defineInput, defineTool, type ValuesOf } from "./define-tool.ts";
import { countOf, lineEndsOf, toLines, toWideEnds } from "./text/line-ends.ts";
import { renderDiff } from "./text/render-diff.ts";
import { readContent } from "./text/text-file.ts";
import { ToolRefused, type ToolSurroundings } from "./tool.ts";
import { refuseReadOnly } from "./write.ts";

const input = defineInput({
  path: {
    type: "string",
    least: 1,
    description: "The file, relative to the work folder, such as src/main.ts.",
  },
  old: {
    type: "string",
    least: 1,
    description: "The text to replace, exactly as it stands in the file, without the line numbers of read.",
  },
  new: { type: "string", description: "The text to put in its place; empty to remove it." },
  all: {
    type: "boolean",
    optional: true,
    description: "Replace every place where the text stands; without it, it must stand in exactly one.",
  },
});

interface PlannedEdit {
  readonly place: FilePlace;
  readonly found: FoundFile;
  readonly before: string;
  readonly after: string;
  readonly count: number;
}

export const editTool = defineTool({
  name: "edit",
  effect: "writes",
  description: [
    "Replace a piece of a text file in the work folder by another. The old text must stand in the file exactly once, with its white space:",
    "give lines around it if it stands there more often, or set all to replace every one.",
    "Line ends need no care: \\n in old and new fits files with CRLF too. Read the file first.",
  ].join(" "),
  input,
  describe: ({ path, old, new: young, all }) => {
    const change = `-${toLines(old).length} +${toLines(young).length}`;
    return `${path} (${change} lines${all === true ? ", everywhere" : ""})`;
  },
  preview: async (values, surroundings) => {
    const { before, after } = await plan(values, surroundings);
    return renderDiff(before, after);
  },
  run: async (values, surroundings) => {
    const { place, found, after, count } = await plan(values, surroundings);
    await writePlace(place, after, surroundings, { before: found.stats });
    return count === 1 ? `Edited ${place.shown}.` : `Edited ${place.shown} in ${count} places.`;
  },
});

async function plan(
  { path, old, new: young, all = false }: ValuesOf<typeof input>,
  surroundings: ToolSurroundings,
): Promise<PlannedEdit> {
  if (old === young) throw new ToolRefused("old and new are the same: there is nothing to change.");
  const place = requireFile(await findPlace(surroundings, path));
  refuseGitFolder(place);
  refuseReadOnly(place);
  const found = await readPlace(place, surroundings);
  const before = requireText(place, found);
  const change = chooseChange(before, old, young);
  if (change === undefined) throw notFound(place, before, old);
  if (change.count > 1 && !all) throw ambiguous(place, before, change);
  const after = before.split(change.old).join(change.young);
  return { place, found, before, after, count: change.count };
}

function requireText({ shown }: FilePlace, { bytes }: FoundFile): string {
  const content = readContent(bytes);
  if (content.type === "binary") throw new ToolRefused(`${shown} is ${content.what}, and cannot be edited.`);
  if (content.encoding !== "utf-8")
    throw new ToolRefused(
      `${shown} is not UTF-8, and an edit would damage it. Change it with the tool bash.`,
    );
  return content.text;
}

interface Change {
  readonly old: string;
  readonly young: string;
  readonly count: number;
}

/** Finds what is to be replaced, with line ends as the file has them; undefined where it is not there. */
function chooseChange(text: string, old: string, young: string): Change | undefined {
  const plain = { old, young };
  const wide = { old: toWideEnds(old), young: toWideEnds(young) };
  const ends = lineEndsOf(text);
  const tried = ends === "crlf" ? [wide, plain] : ends === "lf" ? [plain] : [plain, wide];
  return tried.map((each) => ({ ...each, count: countOf(text, each.old) })).find(({ count }) => count > 0);
}

/** How much of a line is quoted. */
const longestQuote = 200;

function notFound({ shown }: FilePlace, text: string, old: string): ToolRefused {
  const near = findNearestLine(toLines(text), old);
  if (near === undefined)
    return new ToolRefused(`The old text is not in ${shown}, nor anything like it. Read the file again.`);
  const how = near.isSpacing ? "is the same but for white space" : "is nearest to its first line";
  const quoted = near.text.slice(0, longestQuote).toWellFormed();
  return new ToolRefused(`The old text is not in ${shown}. Line ${near.number} ${how}:\n${quoted}`);
}

/** How many places are named. */
const mostPlaces = 10;

function ambiguous({ shown }: FilePlace, text: string, { old, count }: Change): ToolRefused {
  const lines: number[] = [];
  for (
    let at = text.indexOf(old);
    at !== -1 && lines.length < mostPlaces;
    at = text.indexOf(old, at + old.length)
  )
    lines.push(countOf(text.slice(0, at), "\n") + 1);
  const more = count > mostPlaces ? " and others" : "";
  return new ToolRefused(
    `The old text stands in ${shown} ${count} times, in lines ${lines.join(", ")}${more}. Give more of what is around the one that you mean, or set all to change every one.`,
  );
}

/** A line of a text, by its number from 1 on. */
interface NearLine {
  readonly number: number;
  readonly text: string;
  /** Whether it differs only in white space. */
  readonly isSpacing: boolean;
}

/** How many lines are compared, and how much of each: to say what is near is worth only so much. */
const [mostLines, longest] = [10_000, 200];

/** How much of two lines must be the same, from 0 to 1. */
const alike = 0.5;

/** Finds the line that is most like the first line of a text that was looked for in vain; undefined where none is like it. */
function findNearestLine(lines: readonly string[], wanted: string): NearLine | undefined {
  const line = wanted.split(/\r?\n/).find((each) => each.trim() !== "");
  if (line === undefined) return undefined;
  const squeezed = squeeze(line);
  const same = lines.findIndex((each) => squeeze(each) === squeezed);
  if (same !== -1) return { number: same + 1, text: lines[same] ?? "", isSpacing: true };
  const pairs = pairsOf(line);
  let best = { number: 0, share: 0 };
  lines.slice(0, mostLines).forEach((each, at) => {
    const share = shareOf(pairs, pairsOf(each));
    if (share > best.share) best = { number: at + 1, share };
  });
  if (best.share < alike) return undefined;
  return { number: best.number, text: lines[best.number - 1] ?? "", isSpacing: false };
}

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

/** Counts the pairs of characters that stand next to each other. */
function pairsOf(line: string): ReadonlyMap<string, number> {
  const text = squeeze(line.slice(0, longest)).toLowerCase();
  const pairs = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at += 1) {
    const pair = text.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  return pairs;
}

/** Returns which part of all pairs two lines have in common (Dice's coefficient). */
function shareOf(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): number {
  let common = 0;
  for (const [pair, count] of one) common += Math.min(count, other.get(pair) ?? 0);
  const all = sizeOf(one) + sizeOf(other);
  return all === 0 ? 0 : (2 * common) / all;
}

function sizeOf(pairs: ReadonlyMap<string, number>): number {
  let size = 0;
  for (const count of pairs.values()) size += count;
  return size;
}
