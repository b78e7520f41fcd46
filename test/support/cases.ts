/** What people wait for at every run of the tests. */
const everyDay = 100;

/** Returns how many cases of a property are tried: all of them by `npm run torture -- --properties`. */
export function cases(all: number): number {
  return process.env.TORTURE_PROPERTIES === undefined ? Math.min(all, everyDay) : all;
}
