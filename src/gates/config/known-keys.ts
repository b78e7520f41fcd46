/** The keys that a map of the configuration may have. */
export interface KnownKeys {
  /** Those that mean something here. */
  readonly used: readonly string[];
  /** Those of the framework for which the files were written that mean nothing here. They do no harm. */
  readonly unused: readonly string[];
}

/** The keys of each map of the configuration, by what the map is. */
export const knownKeys = {
  file: {
    used: ["version", "enabled", "inherit", "requirements", "hooks"],
    unused: ["logging", "console", "debug", "budgets", "workflow"],
  },
  requirement: {
    used: [
      "enabled",
      "type",
      "scope",
      "trigger_tools",
      "message",
      "blocking_message",
      "short_message",
      "description",
      "checklist",
      "satisfied_by_skill",
      "auto_resolve_skill",
      "auto_satisfy",
      "stop_only",
      "shell_writes",
      "calculator",
      "thresholds",
      "threshold",
      "approval_ttl",
      "cache_ttl",
      "calculation_cache_ttl",
      "guard_type",
      "protected_branches",
      "branches",
    ],
    unused: ["deprecated", "deprecated_message", "default_ttl", "depends_on", "evidence", "adr_path", "ttl"],
  },
  trigger: { used: ["tool", "command_pattern"], unused: [] },
  thresholds: { used: ["warn", "block"], unused: [] },
  auto_satisfy: { used: ["on_skill_complete"], unused: [] },
  hooks: {
    used: ["session_start", "stop", "session_end", "shell_writes"],
    unused: [
      "agent_teams",
      "lazy_dev",
      "obsidian",
      "permission_request",
      "plan_enter",
      "plan_exit",
      "pre_compact",
      "prompt_submit",
      "qdrant",
      "retrieval",
      "session_learning",
      "subagent_start",
      "wip_tracking",
    ],
  },
  session_start: {
    used: ["inject_context", "carry_over"],
    unused: ["injection_mode", "briefing_format", "custom_header"],
  },
  carry_over: { used: ["enabled", "window_seconds", "sources"], unused: [] },
  stop: { used: ["verify_requirements", "verify_scopes"], unused: [] },
  session_end: { used: ["clear_session_state"], unused: [] },
} as const satisfies Record<string, KnownKeys>;
