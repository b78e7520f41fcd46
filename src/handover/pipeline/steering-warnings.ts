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
    .map(({ name }) => render(name))
    .sort();
}

/** Tells whether a text is a warning that a file of steering changed. */
export function isSteeringWarning(text: string): boolean {
  return /^steering\/.+ changed and no STEERING_UPDATE says why\.$/.test(text);
}

/**
 * Returns those of some texts that warn of a change of steering which a STEERING_UPDATE was recorded for since. The
 * change of a file that is gone counts from a moment.
 */
export function settledWarnings(
  texts: readonly string[],
  files: readonly SteeringFile[],
  { since, updated }: { readonly since: Date | undefined; readonly updated: Date | undefined },
): readonly string[] {
  if (updated === undefined) return [];
  return texts.filter((text) => {
    const changed = files.find(({ name }) => render(name) === text)?.changed ?? since;
    return isSteeringWarning(text) && changed !== undefined && changed.getTime() <= updated.getTime();
  });
}

function render(name: string): string {
  return `steering/${name} changed and no STEERING_UPDATE says why.`;
}
