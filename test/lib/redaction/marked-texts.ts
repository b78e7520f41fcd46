/** Takes the signs « and » off a text; what stands between them is secret. */
export function unmark(marked: string): string {
  return marked.replaceAll(/[«»]/g, "");
}

/** Returns the text that is left of a marked one when each secret is replaced. */
export function expectHidden(marked: string): string {
  return marked.replaceAll(/«[^»]*»/g, "[redacted]");
}

/** Returns a redacted text with markers that tell neither kind nor hash. */
export function withoutKinds(redacted: string): string {
  return redacted.replaceAll(/\[redacted:[a-z0-9-]+:[0-9a-f]{8}\]/g, "[redacted]");
}

/** Does to every string of a value what a function does to one. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  return JSON.parse(JSON.stringify(value), (_, item: unknown) =>
    typeof item === "string" ? map(item) : item,
  );
}
