/** A piece of a session as a page shows it. */
export type Piece =
  /** What somebody said, in Markdown. */
  | { readonly type: "words"; readonly text: string }
  /** What is folded away until it is wanted: a call, a result, a thought. */
  | {
      readonly type: "folded";
      readonly label: string;
      /** A few words beside the label, such as the command. */
      readonly hint: string;
      readonly text: string;
      /** What the text is written in; undefined for plain text. */
      readonly language: string | undefined;
      readonly isFailure: boolean;
    }
  /** Something that happened, on one line. */
  | { readonly type: "note"; readonly text: string };

/** An entry as a page shows it. */
export interface Passage {
  /** Who it is by; undefined for what happened. */
  readonly speaker: "user" | "assistant" | "tool" | undefined;
  readonly at: Date;
  readonly strand: string;
  readonly model: string | undefined;
  readonly pieces: readonly Piece[];
}
