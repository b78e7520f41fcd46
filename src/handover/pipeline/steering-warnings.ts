/** A file of steering, and when it last changed. */
export interface SteeringFile {
  readonly name: string;
  readonly changed: Date;
}

/**
 * Returns a warning for each file of steering that changed since a moment and that no STEERING_UPDATE was recorded
 * for since.
 */
export function steeringWarnings(
  files: readonly SteeringFile[],
  { since, updated }: { readonly since: Date; readonly updated: Date | undefined },
): readonly string[] {
  const after = Math.max(since.getTime(), updated?.getTime() ?? 0);
  return files
    .filter(({ changed }) => changed.getTime() > after)
    .map(({ name }) => `steering/${name} changed and no STEERING_UPDATE says why.`)
    .sort();
}
