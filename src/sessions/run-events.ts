/** The events that a run records beside the talk: docs/formats/run.md. */
export const runEvents = {
  started: "started",
  resumed: "resumed",
  /** A call that may change something is about to be made. */
  callStarted: "call-started",
} as const;
