/** The events that a chat records beside the talk: docs/formats/chat.md. */
export const chatEvents = {
  started: "started",
  resumed: "resumed",
  /** Begins a new stretch: what was before stays in the log, and no model is told of it any more. */
  reset: "reset",
  /** What was not yet a message at a save: the line that was being typed, and a reply that was coming in. */
  draft: "draft",
  compacted: "compacted",
  modelChanged: "model-changed",
} as const;
