/** How many are named. */
const most = 3;

/** Names the first few of many: `a, b, c and 4 more`. */
export function nameFew(names: readonly string[]): string {
  const rest = names.length - most;
  return names.slice(0, most).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** Says how many there are of something: `1 commit`, `3 commits`. */
export function countOf(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
