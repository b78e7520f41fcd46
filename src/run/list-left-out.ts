import type { Json } from "../sessions/entry.ts";
import { fieldOf } from "../sessions/tool-runs.ts";

/** Returns what was not kept of the files of a round, as its entry names it, each with the reason. */
export function listLeftOut(files: Json | undefined): readonly string[] {
  const names = fieldOf(files, "leftOut");
  const more = fieldOf(files, "moreLeftOut");
  return [
    ...(Array.isArray(names) ? names.filter((name) => typeof name === "string") : []),
    ...(typeof more === "number" ? [`${more} more`] : []),
  ];
}
