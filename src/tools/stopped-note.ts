/** What a model is told of a call that was stopped while it ran: by a person, a signal or a limit of time. */
export const stoppedNote =
  "Interrupted: it was stopped while it was running. It may have taken effect in part.";
