/** Something about the configuration of gates that its owner should know. */
export interface GateProblem {
  readonly file: string;
  /** The line, from 1 on; of a whole file 1. */
  readonly line: number;
  /** What is wrong, as a sentence. */
  readonly problem: string;
  /** What to do about it, as a sentence. */
  readonly hint: string;
}
