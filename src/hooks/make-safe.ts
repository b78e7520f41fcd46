import { findSecretsWithin, type SecretFinder } from "../redaction/find-secrets.ts";
import { redactValue } from "../redaction/redact-json.ts";

/** How deep and how wide a payload may be. */
interface ShapeLimits {
  readonly depth: number;
  /** How many values it may hold, those in it counted too. */
  readonly values: number;
}

/** Cuts what is nested too deep, and what comes after too many values, with a note in the place of each. */
export function capShape(value: unknown, limits: ShapeLimits): unknown {
  let left = limits.values;
  const walk = (item: unknown, depth: number): unknown => {
    left -= 1;
    if (typeof item !== "object" || item === null) return item;
    if (depth >= limits.depth) return "[cut: nested too deep]";
    if (Array.isArray(item)) return capItems(item, depth);
    return Object.fromEntries(capFields(Object.entries(item), depth));
  };
  const capItems = (items: readonly unknown[], depth: number): readonly unknown[] => {
    const kept: unknown[] = [];
    for (const item of items) {
      if (left <= 0) return [...kept, `[cut: ${items.length - kept.length} more]`];
      kept.push(walk(item, depth + 1));
    }
    return kept;
  };
  const capFields = (fields: readonly [string, unknown][], depth: number): readonly [string, unknown][] => {
    const kept: [string, unknown][] = [];
    for (const [key, item] of fields) {
      if (left <= 0) return [...kept, ["[cut]", `${fields.length - kept.length} more`]];
      kept.push([key, walk(item, depth + 1)]);
    }
    return kept;
  };
  return walk(value, 0);
}

/** How many characters of one text are kept, and of all texts of a payload together. */
const textLimit = 262_144;
const payloadLimit = 1_048_576;
const shape = { depth: 64, values: 20_000 };

/** How much is read beyond a cut, so that a secret that stands across it is seen whole. */
const margin = 16_384;

/**
 * Returns a payload without its secrets and cut to a size that a hook can store in time.
 *
 * A secret becomes `[redacted:<kind>]`, without the hash that other markers have: loading the hash function alone would
 * cost a sixth of what Node takes to start.
 */
export function makeSafe<Payload>(payload: Payload): Payload {
  const capped = capShape(payload, shape);
  const find = findSecretsWithin(JSON.stringify(capped));
  let left = payloadLimit;
  const redactText = (text: string): string => {
    const limit = Math.min(textLimit, left);
    left -= Math.min(text.length, limit);
    return redactUpTo(text, limit, find);
  };
  return redactValue({ redactText, mark }, capped, {}) as Payload;
}

/** Returns the beginning of a text without its secrets, and a note of how much is missing. */
export function redactUpTo(text: string, limit: number, find: SecretFinder): string {
  const end = text.length <= limit ? text.length : beforeSurrogate(text, limit);
  const parts: string[] = [];
  let from = 0;
  for (const finding of find(text.slice(0, end + margin))) {
    if (finding.start >= end) break;
    parts.push(text.slice(from, finding.start), mark(finding.kind));
    from = finding.end;
  }
  if (from < end) parts.push(text.slice(from, end));
  const missing = text.length - Math.max(from, end);
  if (missing > 0) parts.push(`[cut: ${missing} more characters]`);
  return parts.join("");
}

/** A pair of surrogates is one character and is not cut in two. */
function beforeSurrogate(text: string, at: number): number {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code <= 0xdbff ? at - 1 : at;
}

function mark(kind: string): string {
  return `[redacted:${kind}]`;
}
