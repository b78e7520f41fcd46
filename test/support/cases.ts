/** What people wait for at every run of the tests. */
const everyDay = 100;

/** The same where each case starts programs, most often git. */
const everyDayWithPrograms = 8;

const isTorture = process.env.TORTURE_PROPERTIES !== undefined;

/** Returns how many cases of a property are tried: all of them by `npm run torture -- --properties`. */
export function cases(all: number): number {
  return isTorture ? all : Math.min(all, everyDay);
}

/** Returns the same for a property of which each case starts programs. */
export function casesWithPrograms(all: number): number {
  return isTorture ? all : Math.min(all, everyDayWithPrograms);
}
