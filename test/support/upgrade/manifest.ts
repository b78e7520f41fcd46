/** The name of the machine that a fixture was recorded on. */
export const machineName = "upgrade-fixture-machine";

/** A command and the JSON that the recorded version answered. */
export interface Recorded {
  readonly args: readonly string[];
  readonly answer: unknown;
}

/** The roles of the recorded sessions; the first five are Claude Code's, and the pending one is not synced yet. */
type RecordedSession =
  | ("worker" | "titled" | "forked" | "killed" | "pending")
  | ("lamps" | "fork" | "other" | "deleted");

/** What a fixture holds, and what the recorded version said of it. */
export interface Manifest {
  readonly version: string;
  /** Where it was recorded. */
  readonly folder: string;
  /** The Node and the program that its hooks start. */
  readonly node: string;
  readonly launcher: string;
  readonly sessions: Readonly<Record<RecordedSession, string>>;
  /** The files of the repository that `init` changed, as they were before. */
  readonly before: Readonly<Record<string, string>>;
  readonly answers: readonly Recorded[];
}
