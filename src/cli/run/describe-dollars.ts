/** Describes an amount of dollars; a small one as exactly as it needs to be told from nothing. */
export function describeDollars(dollars: number): string {
  const digits = dollars >= 0.1 || dollars === 0 ? 2 : 4;
  return `$${dollars.toFixed(digits)}`;
}
