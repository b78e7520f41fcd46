import { expect } from "vitest";
import { isLookedAt } from "../support/is-looked-at.ts";

/** Takes the signs « and » off a text; what stands between them is secret. */
export function unmark(marked: string): string {
  return marked.replaceAll(/[«»]/g, "");
}

/** Returns what is left of a marked text or value when each secret is replaced. Hooks must see a sign of it. */
export function expectHidden<Value>(marked: Value): Value {
  const given = mapStrings(marked, unmark);
  if (JSON.stringify(marked).includes("«")) expect([given, isLookedAt(given)]).toEqual([given, true]);
  return mapStrings(marked, (text) => text.replaceAll(/«[^»]*»/g, "[redacted]")) as Value;
}

/** Returns a redacted text with markers that tell neither kind nor hash. */
export function withoutKinds(redacted: string): string {
  return redacted.replaceAll(/\[redacted:[a-z0-9-]+:[0-9a-f]{8}\]/g, "[redacted]");
}

/** Does to every string of a value what a function does to one. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  return JSON.parse(JSON.stringify(value), (_, item: unknown) =>
    typeof item === "string" ? map(item) : item,
  );
}
