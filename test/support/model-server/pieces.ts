import { middle } from "./protocol.ts";
import type { Step } from "./scenario.ts";

/** Cuts a text into the pieces in which it is streamed, at least two and never inside a character. */
export type Cut = (text: string) => readonly string[];

/** Returns how the texts of a step are cut: into words where a person may watch it, else into halves. */
export function cutOf({ pace, long }: Step): Cut {
  return pace === undefined && long === undefined ? halves : words;
}

export function halves(text: string): readonly string[] {
  const characters = [...text];
  const half = Math.ceil(characters.length / 2);
  return [characters.slice(0, half).join(""), characters.slice(half).join("")];
}

function words(text: string): readonly string[] {
  const pieces = text.match(/\s*\S+\s*$|\s*\S+/g) ?? [];
  return pieces.length < 2 ? halves(text) : pieces;
}

/** Yields pieces with the mark of the middle after half of them. */
export function* withMiddle<T>(pieces: readonly T[]): Generator<T | typeof middle> {
  const half = Math.ceil(pieces.length / 2);
  yield* pieces.slice(0, half);
  yield middle;
  yield* pieces.slice(half);
}
