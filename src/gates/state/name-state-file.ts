/** The longest name that a file has without a hash in it. */
const longest = 100;

/** Returns the name that a branch's file has when no other's stands in its way: `feature/test` is `feature-test.json`. */
function plainNameOf(subject: string): string {
  return subject.replace(/[/\\]/g, "-").replace(/[^A-Za-z0-9_-]/g, "_");
}

/**
 * Yields the names that the file of a branch may have, the best first: the plain one unless it is too long, then those
 * with 8 digits of the branch's hash and more. They are made when they are asked for: hashing takes a module to load.
 */
export function* candidateNames(subject: string): Generator<string> {
  const plain = plainNameOf(subject);
  if (plain.length <= longest && plain !== "") yield `${plain}.json`;
  const digits = process.getBuiltinModule("node:crypto").createHash("sha256").update(subject).digest("hex");
  for (const length of [8, 16, 64]) yield `${plain.slice(0, longest)}-${digits.slice(0, length)}.json`;
}

/**
 * Returns the name of the file of a branch. `taken` has the branches of the files that there are, by their names in
 * lower case: names that differ in nothing but case are one on some disks.
 *
 * A branch that has a file keeps it, so that who once gave way to another's does so for good.
 */
export function nameStateFile(branch: string, taken: ReadonlyMap<string, string>): string {
  let free: string | undefined;
  let last = "";
  for (const name of candidateNames(branch)) {
    const holder = taken.get(name.toLowerCase());
    if (holder === branch) return name;
    if (holder === undefined) free ??= name;
    last = name;
  }
  return free ?? last;
}
