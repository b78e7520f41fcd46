/** Something wrong with a document that can be read nevertheless. It is reported and nothing is changed because of it. */
export interface Problem {
  readonly code: ProblemCode;
  /** The line, counted from 1. */
  readonly line: number;
  readonly message: string;
}

type ProblemCode =
  | "bad-yaml"
  | "conflict-marker"
  | "left-open"
  | "repeated-number"
  | "repeated-section"
  | "torn-entry"
  | "unknown-decision"
  | "unknown-phase"
  | "unreadable";
