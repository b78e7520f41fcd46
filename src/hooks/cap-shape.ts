/** How deep and how wide a payload may be. */
export interface ShapeLimits {
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
