/** Returns a moment for a file name, in UTC to the millisecond: `20261115T203011123`. */
export function timeStamp(now: Date): string {
  return now.toISOString().replace(/[-:.Z]/g, "");
}
