/** The round of a session whose files are kept. */
export interface RoundName {
  readonly session: string;
  readonly round: number;
}

/** Beside `refs/carryon/staged`, which a session may be called like. */
export const roundRefs = "refs/carryon/rounds";

/** Returns the ref that keeps the files of a round. */
export function toRoundRef({ session, round }: RoundName): string {
  return `${roundRefs}/${session}/${round}`;
}

/** Returns the round that a ref keeps; undefined for one that is not ours. */
export function parseRoundRef(ref: string): RoundName | undefined {
  const [, session, round] =
    /^refs\/carryon\/rounds\/([A-Za-z0-9][A-Za-z0-9_-]*)\/(\d{1,9})$/.exec(ref) ?? [];
  return session === undefined ? undefined : { session, round: Number(round) };
}
