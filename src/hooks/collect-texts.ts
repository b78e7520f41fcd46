import type { PayloadTexts } from "./secret-signs.ts";

/** How large a payload may be whose texts are looked at one by one in the hook itself. */
export interface TextLimits {
  readonly depth: number;
  /** How many values it may hold, those in it counted too. */
  readonly values: number;
  /** How many characters all its texts and names may have. */
  readonly characters: number;
}

/** Returns every text and every name of a payload; undefined when it goes beyond the limits. */
export function collectTexts(payload: unknown, limits: TextLimits): PayloadTexts | undefined {
  const texts: string[] = [];
  const names: string[] = [];
  let { values, characters } = limits;
  const add = (text: string): void => {
    texts.push(text);
    characters -= text.length;
  };
  const walkFields = (fields: object, depth: number): boolean =>
    Object.entries(fields).every(([name, value]) => {
      add(name);
      if (typeof value !== "boolean") names.push(name);
      return walk(value, depth);
    });
  const walk = (item: unknown, depth: number): boolean => {
    values -= 1;
    if (values < 0 || characters < 0) return false;
    if (typeof item === "string") add(item);
    if (typeof item !== "object" || item === null) return characters >= 0;
    if (depth >= limits.depth) return false;
    return Array.isArray(item) ? item.every((each) => walk(each, depth + 1)) : walkFields(item, depth + 1);
  };
  return walk(payload, 0) ? { texts, names } : undefined;
}
