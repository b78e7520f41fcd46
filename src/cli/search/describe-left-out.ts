import type { LeftOut } from "../../sessions/search-index.ts";

/** Says that search does not find an entry, and how it is read. */
export function describeLeftOut({ session, seq }: LeftOut): string {
  const what = seq === 0 ? `the title of ${session}` : `entry ${seq} of ${session}`;
  return `Search cannot find ${what}: its text cannot be indexed. \`carryon show ${session} --from ${seq}\` shows it.`;
}
