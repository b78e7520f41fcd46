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
