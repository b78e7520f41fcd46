/** A shared folder is worth naming once when it is as long as this. */
const leastPrefix = 8;

/** Returns paths on one line; those that follow each other in one folder name it once: `src/{a.ts, b/c.ts}, README.md`. */
export function joinPaths(paths: readonly string[]): string {
  const folder = longestFolder(paths);
  const inside = paths.filter((path) => path.startsWith(folder));
  if (folder.length < leastPrefix || inside.length < 2) return paths.join(", ");
  const others = paths.filter((path) => !path.startsWith(folder));
  const group = `${folder}{${inside.map((path) => path.slice(folder.length)).join(", ")}}`;
  return [group, ...others].join(", ");
}

/** Returns the folder that saves most when it is named once. */
function longestFolder(paths: readonly string[]): string {
  const folders = new Map<string, number>();
  for (const path of paths) {
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1)) {
      const folder = path.slice(0, slash + 1);
      folders.set(folder, (folders.get(folder) ?? 0) + 1);
    }
  }
  const saved = ([folder, count]: readonly [string, number]): number => (count - 1) * folder.length;
  return [...folders].toSorted((one, other) => saved(other) - saved(one))[0]?.[0] ?? "";
}
