const barWidth = 24;

/** Renders how much is done of something that is counted. */
export function renderBar(done: number, total: number, what: string): string {
  const full = Math.round((done / total) * barWidth);
  return `${"█".repeat(full)}${"░".repeat(barWidth - full)} ${done} of ${total} ${what}`;
}
