import { cutOutsideMarker } from "../../lib/marker.ts";
import type { Json } from "../entry.ts";
import { fieldOf } from "../tool-runs.ts";

/** What tells most of a call, where it has such a field. */
const telling = [
  "command",
  "file_path",
  "notebook_path",
  "path",
  "pattern",
  "url",
  "query",
  "prompt",
  "instruction",
  "summary",
];

const longest = 300;

/** Says in a few words what a tool was given. */
export function summarizeInput(input: Json): string {
  const told = telling
    .map((field) => fieldOf(input, field))
    .find((each) => typeof each === "string" && each !== "");
  if (typeof told === "string") return shortly(told);
  const isNothing = typeof input === "object" && input !== null && Object.keys(input).length === 0;
  return isNothing ? "" : shortly(typeof input === "string" ? input : JSON.stringify(input));
}

/** Returns the first line that says something of what a tool answered; an exit code alone says little. */
export function summarizeOutput(output: Json): string {
  const text = textIn(output).replace(/^(\s*Exit code \d+)\s*\n\s*(?=\S)/, "$1: ");
  return shortly(
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? "",
  );
}

function textIn(output: Json): string {
  if (typeof output === "string") return output;
  if (Array.isArray(output)) return output.map(textIn).join("\n");
  const told = ["text", "stderr", "stdout", "error"].map((field) => fieldOf(output, field));
  const text = told.find((each) => typeof each === "string" && each !== "");
  return typeof text === "string" ? text : JSON.stringify(output);
}

/** Cuts a text after so many characters, and says how many are missing; neither a character nor a marker is cut in two. */
export function clip(text: string, most: number): { readonly text: string; readonly omitted: number } {
  if (text.length <= most) return { text, omitted: 0 };
  const last = text.charCodeAt(most - 1);
  const whole = last >= 0xd800 && last <= 0xdbff ? most - 1 : most;
  // A marker is short, and the text may be megabytes long.
  const kept = text.slice(0, cutOutsideMarker(text.slice(0, most + 200), whole));
  return { text: kept, omitted: text.length - kept.length };
}

function shortly(text: string): string {
  const { text: kept, omitted } = clip(text, longest);
  return omitted === 0 ? kept : `${kept}…`;
}
