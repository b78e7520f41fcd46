import type { Entry, Json, Part } from "../sessions/entry.ts";

/** How many characters a token is, about. */
const charactersPerToken = 4;
/** How full the context may get, and how full it is after something was left out: not each request leaves out a bit more. */
const [full, roomy] = [0.7, 0.4];
/** The newest entries stay as they are, and so does what is short. */
const [newest, short] = [12, 600];

/**
 * Returns the talk of a strand so that it fits into the context of a model, with the oldest results and inputs of tools cut
 * first. The log keeps all of it.
 *
 * What was left out once stays left out until the talk has grown by a good part, so that a provider finds the beginning
 * of the talk in its cache.
 */
export function fitTalk(entries: readonly Entry[], contextTokens: number): readonly Entry[] {
  const sizes = entries.map(sizeOf);
  const size = sizes.reduce((sum, each) => sum + each, 0);
  const limit = contextTokens * charactersPerToken;
  if (size <= limit * full) return entries;
  // In steps: the amount that is left out changes only when the talk has grown by another step.
  const step = limit * (full - roomy);
  const steps = Math.ceil((size - limit * full) / step);
  let excess = steps * step;
  return entries.map((entry, index) => {
    if (excess <= 0 || index >= entries.length - newest) return entry;
    const cut = cutEntry(entry);
    excess -= (sizes[index] ?? 0) - sizeOf(cut);
    return cut;
  });
}

function sizeOf(entry: Entry): number {
  return entry.kind === "message" ? JSON.stringify(entry.parts).length : 0;
}

function cutEntry(entry: Entry): Entry {
  return entry.kind === "message" ? { ...entry, parts: entry.parts.map(cutPart) } : entry;
}

function cutPart(part: Part): Part {
  switch (part.type) {
    case "tool-result":
      return { ...part, output: cutJson(part.output) };
    case "tool-call":
      return { ...part, input: cutInput(part.input) };
    case "text":
    case "thinking":
    case "image":
    case "file":
    case "other":
      return part;
  }
}

/** An input stays an object with the same fields: it says what was done, if not with what. */
function cutInput(input: Json): Json {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return cutJson(input);
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [key, cutJson(value as Json)]));
}

function cutJson(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= short) return value;
  return `${text.slice(0, short / 2)}\n[${text.length - short} characters left out]\n${text.slice(-short / 2)}`;
}
