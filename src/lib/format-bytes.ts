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
