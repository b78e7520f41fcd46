/** Returns the name on a line that opens a group, such as `**Added this session:**`, or undefined for any other line. */
export function groupNameOf(line: string): string | undefined {
  return /^\*\*([^*\s](?:[^*]*[^*\s])?)\*\*:?[ \t]*$/.exec(line)?.[1]?.replace(/\s*:$/, "");
}

/** Tells whether a line opens a group. */
export function isGroupMarker(line: string): boolean {
  return groupNameOf(line) !== undefined;
}
