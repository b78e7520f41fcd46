/** No name is longer, and a search beyond it could take long. */
const spans = /``[ \t]([^\n]{1,1000}?)[ \t]``|`([^`\n]{1,1000})`/g;

/** Returns what stands as code in the lines of a text. */
export function codeSpansOf(text: string): readonly string[] {
  return [...text.matchAll(spans)].map(([, wide, narrow]) => wide ?? narrow ?? "");
}
