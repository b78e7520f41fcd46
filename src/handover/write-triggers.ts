/** What makes Carryon write a document of the handover. */
export type Trigger =
  | "command-completed"
  | "pipeline-stopped"
  | "work-changed"
  | "handed-over"
  | "user-decided"
  | "steering-changed"
  | "direction-changed"
  | "knowledge-tagged"
  | "wave-completed"
  | "session-started";

/** One document that a trigger writes, and how. */
export interface WriteRule {
  readonly trigger: Trigger;
  readonly file: "session.md" | "decisions.md" | "buffer.md" | "sessions/";
  readonly mode: "auto-draft" | "manual-polish" | "append" | "archive" | "overwrite" | "clear";
  /** The type of the decision that is appended. */
  readonly type?: "SESSION_START" | "SESSION_END" | "USER_DECISION" | "STEERING_UPDATE" | "DIRECTION_CHANGE";
}

/** All that is written without being asked for by its name, in the order in which a trigger writes it. */
export const writeRules: readonly WriteRule[] = [
  { trigger: "command-completed", file: "session.md", mode: "auto-draft" },
  { trigger: "pipeline-stopped", file: "session.md", mode: "auto-draft" },
  { trigger: "work-changed", file: "session.md", mode: "auto-draft" },
  { trigger: "handed-over", file: "sessions/", mode: "archive" },
  { trigger: "handed-over", file: "session.md", mode: "manual-polish" },
  { trigger: "handed-over", file: "decisions.md", mode: "append", type: "SESSION_END" },
  { trigger: "user-decided", file: "decisions.md", mode: "append", type: "USER_DECISION" },
  { trigger: "steering-changed", file: "decisions.md", mode: "append", type: "STEERING_UPDATE" },
  { trigger: "direction-changed", file: "decisions.md", mode: "append", type: "DIRECTION_CHANGE" },
  { trigger: "knowledge-tagged", file: "buffer.md", mode: "overwrite" },
  { trigger: "wave-completed", file: "buffer.md", mode: "clear" },
  { trigger: "session-started", file: "decisions.md", mode: "append", type: "SESSION_START" },
];

/** Returns what a trigger writes, in order. */
export function rulesFor(trigger: Trigger): readonly WriteRule[] {
  return writeRules.filter((rule) => rule.trigger === trigger);
}
