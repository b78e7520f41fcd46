/** The branches that are protected where nothing else is said. */
const usuallyProtected: readonly string[] = ["main", "master"];

/**
 * Tells whether a branch is one of those that are protected: by its name, or by a pattern with `*` for any characters,
 * slashes among them, as in `git branch --list`. Upper and lower case differ. Takes linear time in the name for each
 * part of a pattern.
 */
export function isProtectedBranch(branch: string, patterns: readonly string[] = usuallyProtected): boolean {
  return patterns.some((pattern) => fits(branch, pattern));
}

function fits(name: string, pattern: string): boolean {
  const [first = "", ...rest] = pattern.split("*");
  const last = rest.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  // The earliest place of each part leaves the most for those that follow.
  for (const part of rest) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}
