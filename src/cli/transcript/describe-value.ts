import { isJsonObject, textOf } from "../../clients/claude-code/wire.ts";
import type { Json, JsonObject } from "../../sessions/entry.ts";

/** Writes a recorded value on one line, as people would: `command: npm test, timeout: 10`. */
export function describeValue(value: Json): string {
  if (!isJsonObject(value)) return toWords(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${toWords(each)}`)
    .join(", ");
}

/** Writes a recorded value with each of its fields on lines of its own; a text of several lines keeps them. */
export function listValue(value: Json): string {
  if (!isJsonObject(value)) return toLines(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}: ${hang(toLines(each))}`)
    .join("\n");
}

/** Returns what a tool answered as it would be read: its output, not the form in which it was handed over. */
export function toOutputText(output: Json): string {
  const text = Array.isArray(output) ? output.map(readBlock).join("\n") : readBlock(output);
  return text.replace(/^\n+|\s+$/g, "");
}

function readBlock(block: Json): string {
  if (!isJsonObject(block)) return toLines(block);
  const { stdout, stderr } = block;
  if (typeof stdout === "string") return joinStreams(stdout, typeof stderr === "string" ? stderr : "");
  if (block.type === "text") return textOf(block, "text") ?? "";
  if (block.type === "image" || block.type === "file") return describeFile(block);
  return toLines(block);
}

/** Names a file that is not in the log itself: `[image shot.png image/png]`. */
function describeFile({ type, name, location, mediaType }: JsonObject): string {
  return `[${[type, name ?? location, mediaType].filter((each) => typeof each === "string").join(" ")}]`;
}

function joinStreams(stdout: string, stderr: string): string {
  return [stdout, stderr].filter((each) => each !== "").join("\n");
}

function toWords(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function toLines(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Puts a text of several lines below the name of its field. */
function hang(text: string): string {
  const shown = text.trimEnd();
  return shown.includes("\n") ? `\n${shown}`.replaceAll("\n", "\n  ") : shown;
}
