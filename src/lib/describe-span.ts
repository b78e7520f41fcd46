const units = [
  { name: "d", ms: 86_400_000 },
  { name: "h", ms: 3_600_000 },
  { name: "min", ms: 60_000 },
  { name: "s", ms: 1000 },
] as const;

/** Writes how long something took with its two largest units: `2 h 5 min`, `45 s`. */
export function describeSpan(ms: number): string {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  const parts: string[] = [];
  for (const { name, ms: size } of units) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}`);
    else if (parts.length > 0) break;
  }
  return parts.length === 0 ? "0 s" : parts.join(" ");
}
