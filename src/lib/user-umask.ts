/** Where the launcher leaves the mask that it found, before it takes one under which nothing is for others to read. */
const found = Symbol.for("carryon.umask");

/** Returns the mask that the user has set for files of their own: those that tools write, and programs that we start. */
export function userUmask(): number {
  const mask: unknown = Reflect.get(process, found);
  return typeof mask === "number" ? mask : process.umask();
}

/** Starts a program under the user's mask: what it makes is not Carryon's. Nothing may be awaited meanwhile. */
export function underUserUmask<Started>(start: () => Started): Started {
  const ours = process.umask(userUmask());
  try {
    return start();
  } finally {
    process.umask(ours);
  }
}
