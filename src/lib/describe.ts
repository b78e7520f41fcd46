/** Writes a count with its noun: `1 entry`, `3 entries`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const units = ["kB", "MB", "GB", "TB", "PB"];

/** Writes a number of bytes for people, in powers of 1000 with one decimal: `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  let amount = bytes / 1000;
  let step = 0;
  // From 999.95 on, one decimal would say 1000.0.
  while (amount >= 999.95 && step < units.length - 1) {
    amount /= 1000;
    step += 1;
  }
  return `${amount.toFixed(1)} ${units[step]}`;
}

const two = (value: number) => String(value).padStart(2, "0");

/** Writes the local date of a time: `2026-11-15`. */
export function describeDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Writes the local time of day: `14:30:22`. */
export function describeTime(date: Date): string {
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Describes a day with its time. */
export function describeMoment(at: Date): string {
  return `${describeDay(at)} ${describeTime(at)}`;
}
