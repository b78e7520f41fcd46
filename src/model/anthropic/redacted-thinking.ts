/** Stands before what the API has sent of a thought that it does not show; no signature begins so. */
export const redactedMark = "redacted_thinking:";
