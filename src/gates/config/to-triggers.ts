import { suggest } from "../../lib/suggest.ts";
import type { Trigger } from "../gate.ts";
import { type Located, type LocatedMap, type Place, shorten } from "./located.ts";
import { findPatternFault } from "./re2-pattern.ts";
import { guessKey, isFull, knownKeys, type Report, tellProblem } from "./report.ts";
import { BadValue, readKey, readName, readText } from "./value-readers.ts";

/** The tools that edit files. */
const editing: readonly Trigger[] = ["Edit", "Write", "MultiEdit", "NotebookEdit"].map((tool) => ({ tool }));

/**
 * Reads what a requirement guards. A trigger that would guard something else than was meant is left out: without the pattern
 * that it was given, all commands would wait. At least one must stay.
 */
export function toTriggers(value: Located | undefined, owner: string, report: Report): readonly Trigger[] {
  if (value === undefined) return editing;
  const items = value.type === "list" ? value.items : [value];
  if (items.length === 0) {
    const problem = `${owner[0]?.toUpperCase()}${owner.slice(1)} guards nothing: trigger_tools is an empty list.`;
    tellProblem(report, value, problem, "Name a tool there, or remove trigger_tools to guard edits.");
    return [];
  }
  const triggers = items.flatMap((item) => toTrigger(item, owner, report));
  if (triggers.length > 0) return triggers;
  throw new BadValue(
    value,
    "none of its triggers can be used",
    "Give it a trigger, or remove trigger_tools.",
  );
}

function toTrigger(value: Located, owner: string, report: Report): readonly Trigger[] {
  if (value.type !== "map") {
    const tool = readName(value, "each of trigger_tools");
    tellTool(tool, value, owner, report);
    return [{ tool }];
  }
  const tool = readKey(value, "tool", readName);
  const fault = findKeyFault(value, tool) ?? findPattern(value);
  if (fault !== undefined && "reason" in fault) {
    const problem = `A trigger of ${owner} is left out: ${fault.reason}.`;
    tellProblem(report, fault.place, problem, fault.hint);
    return [];
  }
  if (tool === undefined)
    throw new BadValue(value, "a trigger names no tool", "Write `tool: Bash` above its command_pattern.");
  tellTool(tool, value, owner, report);
  return [{ tool, ...fault }];
}

/** Why a trigger cannot be used. */
interface TriggerFault {
  readonly place: Place;
  readonly reason: string;
  readonly hint: string;
}

const { used } = knownKeys.trigger;

/** What a key that there is not was to say is not known, and neither is what the trigger guards without it. */
function findKeyFault(map: LocatedMap, tool: string | undefined): TriggerFault | undefined {
  for (const [key, place] of map.entries) {
    if (!used.some((each) => each === key))
      return {
        place,
        reason: `it has a setting ${shorten(key)} that there is not`,
        hint: guessKey(key, used),
      };
  }
  const place = map.entries.get("command_pattern");
  if (place === undefined || tool === undefined || tool === "Bash") return undefined;
  return {
    place,
    reason: `only Bash has commands, and its command_pattern is for ${shorten(tool)}`,
    hint: "Write `tool: Bash`, or remove command_pattern.",
  };
}

/** Reads the pattern of a trigger, which need not have one. An empty one would be found in every command. */
function findPattern(map: LocatedMap): TriggerFault | { readonly pattern: string } | undefined {
  const place = map.entries.get("command_pattern");
  if (place === undefined) return undefined;
  const pattern = readKey(map, "command_pattern", readText) ?? "";
  if (pattern.trim() === "")
    return {
      place,
      reason: "its command_pattern is empty",
      hint: "Write a pattern, or remove the key to guard every command that may write.",
    };
  const fault = findPatternFault(pattern);
  if (fault === undefined) return { pattern };
  const reason = `its command_pattern ${shorten(pattern)} cannot be used (${shorten(fault.reason)})`;
  return { place, reason, hint: fault.hint };
}

/** A tool that nobody has is never called. It counts all the same: clients get new ones. */
function tellTool(tool: string, place: Place, owner: string, report: Report): void {
  if (isKnownTool(tool) || isFull(report)) return;
  const near = guessTool(tool);
  tellProblem(
    report,
    place,
    `A trigger of ${owner} names a tool ${shorten(tool)} that Claude Code is not known to have; it counts only for a tool of that name.`,
    near === undefined
      ? "Name a tool such as Edit, Write or Bash, or one of a server: mcp__…"
      : `Did you mean ${near}?`,
  );
}

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
function isKnownTool(name: string): boolean {
  return tools.includes(name) || /^mcp__./.test(name);
}

/** Returns the tool that somebody may have meant. */
function guessTool(name: string): string | undefined {
  return suggest(name, tools)[0];
}
