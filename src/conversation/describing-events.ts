/** The events that say something of their session itself: they count in the session in which they stand. */
const describing: ReadonlySet<string> = new Set(["titled", "tagged", "ended", "interrupted", "resumed"]);

/** Tells whether an event describes its session. */
export function isDescribing(event: string): boolean {
  return describing.has(event);
}
