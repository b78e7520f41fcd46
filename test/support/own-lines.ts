/** The lines by which git is told to leave out what init writes into a project. */
export const ownLines = [
  "/.claude/settings.local.json",
  "/.claude/commands/session/load.md",
  "/.claude/commands/session/new.md",
  "/.claude/commands/session/save.md",
  "/.claude/commands/session/status.md",
  "/.claude/skills/arch-review/SKILL.md",
  "/.claude/skills/plan-review/SKILL.md",
  "/.claude/skills/sdd-handover/SKILL.md",
  "/.mcp.json",
] as const;
