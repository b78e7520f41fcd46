import { textOf } from "../../clients/claude-code/wire.ts";
import type { Json, JsonObject } from "../../sessions/entry.ts";
import { describeValue } from "./describe-value.ts";

/** Says in one line what both sides of a merge say differently. */
export function describeConflict(conflict: JsonObject): string {
  const [left, right] = [toWords(conflict.left), toWords(conflict.right)];
  switch (textOf(conflict, "type")) {
    case "file":
      return `both changed ${textOf(conflict, "path") ?? ""}`;
    case "decision":
      return `decided differently: “${left}” and “${right}”`;
    case "title":
      return `the title is “${left}” here and “${right}” there`;
    case "tags":
      return `the tags are ${left} here and ${right} there`;
    default:
      return describeValue(conflict);
  }
}

function toWords(value: Json = ""): string {
  return Array.isArray(value) ? value.map(describeValue).join(", ") : describeValue(value);
}
