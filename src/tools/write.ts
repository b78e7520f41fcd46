import { formatBytes } from "../lib/describe.ts";
import {
  type FilePlace,
  type FoundFile,
  findPlace,
  readPlace,
  refuseGitFolder,
  requireFile,
} from "./confine/place.ts";
import { writePlace } from "./confine/write-place.ts";
import { defineInput, defineTool } from "./define-tool.ts";
import { lineEndsOf, toLines, toWideEnds } from "./text/line-ends.ts";
import { renderDiff } from "./text/render-diff.ts";
import { readContent } from "./text/text-file.ts";
import { ToolRefused, type ToolSurroundings } from "./tool.ts";

/** What a call is to do: the file as it is, and as it will be. */
interface PlannedWrite {
  readonly place: FilePlace;
  /** Undefined for a new file, and for one that cannot be compared. */
  readonly before: string | undefined;
  readonly found: FoundFile | undefined;
  readonly after: string;
}

export const writeTool = defineTool({
  name: "write",
  effect: "writes",
  description: [
    "Write a whole text file in the work folder: a new one, with the folders on the way, or in place of the one that is there.",
    "To change a part of a file use edit, which is shorter and loses nothing. A file with CRLF line ends keeps them, and a file keeps its permissions.",
    "Files in .git are not written.",
  ].join(" "),
  input: defineInput({
    path: {
      type: "string",
      least: 1,
      description: "The file, relative to the work folder, such as src/main.ts.",
    },
    content: { type: "string", description: "All that the file is to contain." },
  }),
  describe: ({ path, content }) => `${path} (${countLines(content)})`,
  preview: async ({ path, content }, surroundings) => {
    const { before, found, after } = await plan(path, content, surroundings);
    if (before !== undefined) return renderDiff(before, after);
    return found === undefined
      ? renderNew(after)
      : `[in place of a file that is no text]\n${renderNew(after)}`;
  },
  run: async ({ path, content }, surroundings) => {
    const { place, before, found, after } = await plan(path, content, surroundings);
    if (before === after) return `${place.shown} already has this content.`;
    await writePlace(place, after, surroundings, { before: found?.stats });
    const how = found === undefined ? "a new file" : "in place of what was there";
    return `Wrote ${place.shown}: ${countLines(after)}, ${how}.`;
  },
});

async function plan(path: string, content: string, surroundings: ToolSurroundings): Promise<PlannedWrite> {
  const { limits } = surroundings;
  const size = Buffer.byteLength(content);
  if (size > limits.fileBytes)
    throw new ToolRefused(
      `A file may have ${formatBytes(limits.fileBytes)}, and this is ${formatBytes(size)}.`,
    );
  const place = requireFile(await findPlace(surroundings, path));
  refuseGitFolder(place);
  if (/[\\/]$/.test(path)) throw new ToolRefused(`${path} names a folder: give the path of a file.`);
  if (place.kind === "nothing") return { place, before: undefined, found: undefined, after: content };
  refuseReadOnly(place);
  const found = await readPlace(place, surroundings);
  const before = readContent(found.bytes);
  if (before.type !== "text" || before.encoding !== "utf-8")
    return { place, before: undefined, found, after: content };
  return { place, before: before.text, found, after: likeBefore(before.text, content) };
}

/** A file that nobody may write is so on purpose; to root, and to one who owns the folder, the system allows it all the same. */
export function refuseReadOnly({ shown, stats }: FilePlace): void {
  if (stats !== undefined && (stats.mode & 0o222) === 0)
    throw new ToolRefused(
      `${shown} is read-only. If it is meant to be changed, change its permissions first.`,
    );
}

/** Keeps what a model does not see in a file: wide line ends, and the mark at its beginning. */
function likeBefore(before: string, content: string): string {
  const text = lineEndsOf(before) === "crlf" && !content.includes("\r") ? toWideEnds(content) : content;
  return before.startsWith("\ufeff") && !text.startsWith("\ufeff") ? `\ufeff${text}` : text;
}

function renderNew(content: string): string {
  return toLines(content)
    .map((line) => `+${line}\n`)
    .join("");
}

function countLines(text: string): string {
  const { length } = toLines(text);
  return length === 1 ? "1 line" : `${length} lines`;
}
