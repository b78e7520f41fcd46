/** Returns the items that are there; `text !== undefined && line(text)` stands for one that may not be. */
export function present<Item>(items: readonly (Item | false | undefined)[]): readonly Item[] {
  return items.filter((item) => item !== undefined && item !== false) as readonly Item[];
}
