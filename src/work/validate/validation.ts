/** What a comparison of a saved state with reality can say, in the order in which it is said. */
type ValidationCode =
  | "ALL_VALID"
  | "BRANCH_MISMATCH"
  | "COMMIT_MISMATCH"
  | "UNCOMMITTED_CHANGES"
  | "OPENSPEC_NOT_FOUND"
  | "PROPOSAL_MISSING"
  | "FILE_MISSING"
  | "FILE_CHANGED"
  | "BLOCKER_EXISTS";

/** One thing in which reality differs from what was saved, or that nothing does. */
export interface Validation {
  readonly code: ValidationCode;
  /** What is so: one sentence for people. It may hold recorded text, which is not fit for a terminal as it is. */
  readonly message: string;
  /** What to do about it. Its commands can be pasted, and destroy nothing. */
  readonly action: string;
}
