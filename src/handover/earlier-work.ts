/** What a brief says about the work of earlier sessions; made from their digests. */
export interface EarlierWork {
  readonly at: Date;
  /** What it is about, where it stands and since when, on one line; undefined where it has nothing to go on with. */
  readonly summary: string | undefined;
  /** The next step that the work itself calls for. */
  readonly next: string | undefined;
  /** The tasks that its text already lists. */
  readonly tasks: readonly string[];
  /** Returns its text in at most so many tokens. */
  readonly textWithin: (room: number, count: (text: string) => number) => string;
  /** Other work that is not done, a line each. */
  readonly others: readonly string[];
}
