/** Estimates how many tokens a value takes. */
export function countTokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / 4);
}
