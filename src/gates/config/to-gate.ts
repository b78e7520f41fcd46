import { suggest } from "../../lib/suggest.ts";
import {
  builtInSkills,
  type DynamicGate,
  type Gate,
  matchesSkill,
  type Scope,
  type ShellWrites,
  scopes,
  type Trigger,
} from "../gate.ts";
import { findPatternFault } from "./re2-pattern.ts";
import { guessKey, isFull, knownKeys, type Report, tellKeys, tellNote, tellProblem } from "./report.ts";
import { emptyMap, isNothing, type Located, type LocatedMap, type Place, shorten } from "./to-located.ts";
import {
  BadValue,
  readAmount,
  readKey,
  readMap,
  readName,
  readNames,
  readOneOf,
  readSeconds,
  readText,
  readYesOrNo,
} from "./value-readers.ts";

/** What can be done about writes of the shell. */
export const shellWrites: readonly ShellWrites[] = ["block", "check", "ignore"];

const readScope = readOneOf<Scope>(scopes);
const readShellWrites = readOneOf(shellWrites);
const readType = readOneOf(["blocking", "dynamic", "guard"]);
const readGuard = readOneOf(["protected_branch", "single_session"]);
/** The second name is that of the framework for which the files were written. */
const readCalculator = readOneOf(["branch_size", "branch_size_calculator"]);

/** Reads a requirement. One that is not valid is told and left out. */
export function toGate(name: string, value: Located, report: Report): readonly Gate[] {
  const owner = `the requirement ${name}`;
  try {
    const map = readMap(value, name);
    tellKeys(report, map, "requirement", owner);
    return [addType(map, toBase(name, owner, map, report), owner, report)];
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    tellProblem(report, error.place, `The requirement ${name} is left out: ${error.message}.`, error.hint);
    return [];
  }
}

function toBase(name: string, owner: string, map: LocatedMap, report: Report) {
  const message = readKey(map, "message", readText) ?? readKey(map, "blocking_message", readText);
  const shortMessage = readKey(map, "short_message", readText);
  const description = readKey(map, "description", readText);
  const writes = readKey(map, "shell_writes", readShellWrites);
  return {
    name,
    enabled: readKey(map, "enabled", readYesOrNo) ?? false,
    scope: readKey(map, "scope", readScope) ?? "session",
    triggers:
      readKey(map, "trigger_tools", (value) => toTriggers(value, owner, report)) ??
      toTriggers(undefined, owner, report),
    ...(message !== undefined && { message }),
    ...(shortMessage !== undefined && { shortMessage }),
    ...(description !== undefined && { description }),
    checklist: readKey(map, "checklist", readNames) ?? [],
    ...toSkills(name, owner, map, report),
    stopOnly: readKey(map, "stop_only", readYesOrNo) ?? false,
    ...(writes !== undefined && { shellWrites: writes }),
  };
}

function toSkills(name: string, owner: string, map: LocatedMap, report: Report) {
  const remedy = readKey(map, "auto_resolve_skill", readName);
  const satisfying = readKey(map, "satisfied_by_skill", readNames) ?? [];
  const completing = readKey(map, "auto_satisfy", (value) => readCompleting(value, owner, report)) ?? [];
  const all = [
    ...(remedy === undefined ? [] : [remedy]),
    ...satisfying,
    ...completing,
    ...builtInSkills(name),
  ];
  const skills = all.filter((skill, index) => all.findIndex((other) => matchesSkill(other, skill)) === index);
  const remedySkill = remedy ?? satisfying[0] ?? completing[0];
  return { skills, ...(remedySkill !== undefined && { remedySkill }) };
}

/** Reads `auto_satisfy`, of which other forms than that of skills have never been in use. */
function readCompleting(value: Located, owner: string, report: Report): readonly string[] {
  if (value.type !== "map") {
    tellNote(report, value, `Carryon does nothing with this auto_satisfy of ${owner}.`);
    return [];
  }
  tellKeys(report, value, "auto_satisfy", `auto_satisfy of ${owner}`);
  return readKey(value, "on_skill_complete", readNames) ?? [];
}

function addType(map: LocatedMap, base: ReturnType<typeof toBase>, owner: string, report: Report): Gate {
  const type = readKey(map, "type", readType) ?? "blocking";
  tellOtherTypes(map, type, owner, report);
  if (type === "blocking") return { ...base, type };
  if (type === "dynamic") return { ...base, type, ...toFigure(map, owner, report) };
  const guard = readKey(map, "guard_type", readGuard) ?? "protected_branch";
  if (guard === "single_session") return { ...base, type, guard };
  const branches = readKey(map, "protected_branches", readNames) ?? readKey(map, "branches", readNames);
  return { ...base, type, guard, branches: branches ?? ["master", "main"] };
}

/** The settings that only requirements of one type have. */
const ofType = {
  dynamic: ["calculator", "thresholds", "threshold", "approval_ttl", "cache_ttl", "calculation_cache_ttl"],
  guard: ["guard_type", "protected_branches", "branches"],
} as const;

/** Somebody who sets a limit or a branch believes that it holds. */
function tellOtherTypes(map: LocatedMap, type: Gate["type"], owner: string, report: Report): void {
  for (const other of ["dynamic", "guard"] as const) {
    for (const key of other === type ? [] : ofType[other]) {
      const place = map.entries.get(key);
      if (isNothing(place)) continue;
      const problem = `The setting ${key} of ${owner} does nothing: its type is ${type}.`;
      tellProblem(report, place, problem, `Write \`type: ${other}\`, or remove ${key}.`);
    }
  }
}

type Figure = Pick<DynamicGate, "calculator" | "thresholds" | "approvalTtl" | "cacheTtl">;

function toFigure(map: LocatedMap, owner: string, report: Report): Figure {
  readKey(map, "calculator", readCalculator);
  return {
    calculator: "branch_size",
    thresholds: toThresholds(map, owner, report),
    approvalTtl: readKey(map, "approval_ttl", readSeconds) ?? 300,
    cacheTtl:
      readKey(map, "cache_ttl", readSeconds) ?? readKey(map, "calculation_cache_ttl", readSeconds) ?? 60,
  };
}

function toThresholds(map: LocatedMap, owner: string, report: Report): DynamicGate["thresholds"] {
  const thresholds = readKey(map, "thresholds", readMap) ?? emptyMap(map);
  tellKeys(report, thresholds, "thresholds", `thresholds of ${owner}`);
  const warn = readKey(thresholds, "warn", readAmount);
  const block = readKey(thresholds, "block", readAmount) ?? readKey(map, "threshold", readAmount);
  if (warn === undefined && block === undefined)
    throw new BadValue(thresholds, "it has no thresholds", "Write `thresholds: {warn: 250, block: 400}`.");
  if (warn !== undefined && block !== undefined && warn > block)
    throw new BadValue(
      thresholds,
      "thresholds.warn is greater than thresholds.block",
      "Let it warn before it blocks.",
    );
  return { ...(warn !== undefined && { warn }), ...(block !== undefined && { block }) };
}

/** The tools that edit files. */
const editing: readonly Trigger[] = ["Edit", "Write", "MultiEdit", "NotebookEdit"].map((tool) => ({ tool }));

/**
 * Reads what a requirement guards. A trigger that would guard something else than was meant is left out: without the pattern
 * that it was given, all commands would wait. At least one must stay.
 */
function toTriggers(value: Located | undefined, owner: string, report: Report): readonly Trigger[] {
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
