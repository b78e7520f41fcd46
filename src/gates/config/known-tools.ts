import { suggest } from "../../lib/suggest.ts";

/** The tools that Claude Code has or had, which gates can be on. */
const tools: readonly string[] = [
  ...["Edit", "Write", "MultiEdit", "NotebookEdit", "NotebookRead", "Read", "Grep", "Glob", "LS", "LSP"],
  ...["Bash", "BashOutput", "KillBash", "KillShell", "PowerShell", "Monitor"],
  ...["Agent", "Task", "TaskCreate", "TaskGet", "TaskList", "TaskOutput", "TaskStop", "TaskUpdate"],
  ...["ListAgents", "SendMessage", "TeamCreate", "TeamDelete", "Workflow", "RemoteTrigger"],
  ...["CronCreate", "CronDelete", "CronList", "ScheduleWakeup", "PushNotification"],
  ...["EnterPlanMode", "ExitPlanMode", "EnterWorktree", "ExitWorktree"],
  ...["Skill", "SlashCommand", "TodoRead", "TodoWrite", "ToolSearch", "WebFetch", "WebSearch"],
  ...["AskUserQuestion", "Brief", "Config", "ReportFindings", "StructuredOutput", "SendUserMessage"],
  ...["ListMcpResourcesTool", "ReadMcpResourceTool"],
];

/** Tells whether a client is known to have a tool of a name; those of MCP servers are called as their servers want. */
export function isKnownTool(name: string): boolean {
  return tools.includes(name) || /^mcp__./.test(name);
}

/** Returns the tool that somebody may have meant. */
export function guessTool(name: string): string | undefined {
  return suggest(name, tools)[0];
}
