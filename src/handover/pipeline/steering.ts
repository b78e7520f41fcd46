/** What files said at a moment: the hash of each, by its name. */
export type Hashes = Readonly<Record<string, string>>;

/** Reads hashes that were written down in the log; undefined where there are none. */
export function toHashes(value: unknown): Hashes | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([, hash]) => typeof hash === "string"));
}

/** Returns a warning for each file of steering that says something else than it is known to say. */
export function steeringWarnings(now: Hashes, known: Hashes): readonly string[] {
  const names = [...new Set([...Object.keys(now), ...Object.keys(known)])].sort();
  return names.filter((name) => now[name] !== known[name]).map(render);
}

/** Returns those of some texts that warn of a change of steering which does not stand any more, or which was explained. */
export function settledWarnings(texts: readonly string[], standing: readonly string[]): readonly string[] {
  return texts.filter((text) => steeringNameIn(text) !== undefined && !standing.includes(text));
}

/** Returns what is known without the files that some texts warn of already: nobody knows what those said before. */
export function withoutWarned(known: Hashes, texts: readonly string[]): Hashes {
  const warned = new Set(texts.map(steeringNameIn));
  return Object.fromEntries(Object.entries(known).filter(([name]) => !warned.has(name)));
}

function steeringNameIn(text: string): string | undefined {
  return /^steering\/(.+) changed and no STEERING_UPDATE says why\.$/.exec(text)?.[1];
}

function render(name: string): string {
  return `steering/${name} changed and no STEERING_UPDATE says why.`;
}
