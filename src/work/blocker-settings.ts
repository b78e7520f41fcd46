import { RE2JS, RE2JSException } from "re2js";
import { BadSetting, readMap, type SettingPath, unknownName } from "../lib/bad-setting.ts";
import { type Command, isCommand, whyNoCommand } from "../lib/command.ts";
import type { OwnRule } from "../outcomes/rule.ts";
import { type BlockerType, blockerTypes, severities } from "./blocker.ts";
import type { RecoveryAgents } from "./recovery-agent.ts";

/** What a user has set about how blockers are found. */
export interface BlockerPatterns {
  readonly patterns?: readonly OwnRule[];
}

const mostPatterns = 100;
const [longestPattern, largestProgram] = [500, 2000];
/** How much of a line the pattern of a user is tried on. */
const within = 500;
const certainties = ["summary", "diagnostic"] as const;
const usualResolution = "Read the output of the command, fix what it names, and run it again.";

const patternHint =
  "Write a list under `patterns:`, such as `- { tool: frob, type: build_error, pattern: '^frob failed' }`.";

/** Reads `blockers`. */
export function readBlockers(value: unknown): BlockerPatterns {
  const fields = readMap(value, { name: "blockers", names: ["patterns"], hint: patternHint });
  const { patterns = [] } = fields;
  const path = ["patterns"];
  if (!Array.isArray(patterns)) throw new BadSetting("blockers.patterns must be a list", patternHint, path);
  if (patterns.length > mostPatterns)
    throw new BadSetting(`blockers.patterns has more than ${mostPatterns} patterns`, patternHint, path);
  return { patterns: patterns.map((each, index) => readRule(each, [...path, index])) };
}

const ruleFields = ["tool", "type", "pattern", "certainty", "severity", "resolution"] as const;

function readRule(value: unknown, path: SettingPath): OwnRule {
  const fields = readMap(value, { name: "blockers.patterns", names: ruleFields, path, hint: patternHint });
  const text = (name: (typeof ruleFields)[number]) => toText(fields[name], name, [...path, name]);
  const choice = <Choice extends string>(name: (typeof ruleFields)[number], choices: readonly Choice[]) =>
    toChoice(text(name), name, choices, [...path, name]);
  for (const name of ruleFields.slice(0, 3))
    if (fields[name] === undefined) throw new BadSetting(`a pattern needs ${name}`, patternHint, path);
  return {
    tool: text("tool"),
    type: choice("type", blockerTypes),
    pattern: toPattern(text("pattern"), [...path, "pattern"]),
    within,
    certainty: fields.certainty === undefined ? "summary" : choice("certainty", certainties),
    ...(fields.severity === undefined ? {} : { severity: choice("severity", severities) }),
    resolution: fields.resolution === undefined ? usualResolution : text("resolution"),
  };
}

/** RE2 never goes back, so that a line takes no longer than it is long; what it costs grows with the program too. */
function toPattern(source: string, path: SettingPath): Pick<RegExp, "test"> {
  const refuse = (reason: string, hint: string) => new BadSetting(`a pattern ${reason}`, hint, path);
  if (source.length > longestPattern)
    throw refuse(`has more than ${longestPattern} characters`, "Write a shorter one.");
  const pattern = compile(source);
  if (pattern === undefined)
    throw refuse(
      "is not a regular expression of RE2, which has no lookahead and no backreferences",
      "Put it in single quotes: 'a\\.b'.",
    );
  if (pattern.programSize() > largestProgram) throw refuse("repeats too much", "Let it repeat less.");
  return pattern;
}

function compile(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}

/** Reads `recoveryAgents`: one name, or several in the order in which they are called. */
export function readRecoveryAgents(value: unknown): RecoveryAgents {
  const hint = "Write lines such as `test_failure: [tester, code-editor]`; `[]` leaves it to a person.";
  return ofTypes("recoveryAgents", value, hint, (agents, path) => {
    const names: unknown = typeof agents === "string" ? [agents] : agents;
    if (Array.isArray(names) && names.every(isAgentName)) return names;
    throw new BadSetting("recoveryAgents must name agents", hint, path);
  });
}

/** An agent is told to call it: a name that is a sentence would be one. */
function isAgentName(name: unknown): name is string {
  return typeof name === "string" && /^[\p{L}\p{N}][\p{L}\p{N}:._-]{0,99}$/u.test(name);
}

/** Reads `recovery`: the command for each type of blocker. */
export function readRecovery(value: unknown): Readonly<Partial<Record<BlockerType, Command>>> {
  const hint = "Write the words as a list, such as `dependency: [npm, ci]`: no shell is used.";
  return ofTypes("recovery", value, hint, (command, path) => {
    if (isCommand(command)) return command;
    const words: readonly unknown[] = Array.isArray(command) ? command : [];
    const isWords = words.length > 0 && words.every((word) => typeof word === "string");
    const reason = isWords ? whyNoCommand(words as readonly string[]) : undefined;
    throw new BadSetting(`recovery must be a list of words${reason ? `, and ${reason}` : ""}`, hint, path);
  });
}

/** Reads `maxRecoveryAttempts`. */
export function readMaxRecoveryAttempts(value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 100) return value;
  const hint = "Write a line such as `maxRecoveryAttempts: 3`; 0 means that nothing is tried.";
  throw new BadSetting("maxRecoveryAttempts must be a whole number from 0 to 100", hint);
}

function ofTypes<Value>(
  setting: string,
  value: unknown,
  hint: string,
  read: (value: unknown, path: SettingPath) => Value,
): Readonly<Partial<Record<BlockerType, Value>>> {
  const fields = readMap(value, { name: setting, names: blockerTypes, what: "type of blocker", hint });
  return Object.fromEntries(Object.entries(fields).map(([type, each]) => [type, read(each, [type])]));
}

function toText(value: unknown, name: string, path: SettingPath): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new BadSetting(`${name} of a pattern must be text`, patternHint, path);
}

function toChoice<Choice extends string>(
  value: string,
  name: string,
  choices: readonly Choice[],
  path: SettingPath,
): Choice {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  const { reason, hint } = unknownName(name, value, choices);
  throw new BadSetting(reason, hint, path);
}
