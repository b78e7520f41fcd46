import type { Trigger } from "../gate.ts";
import type { Located } from "./located.ts";
import { findPatternFault } from "./re2-pattern.ts";
import { type Report, tellKeys, tellProblem } from "./report.ts";
import { shorten } from "./shorten.ts";
import { BadValue, readKey, readName, readText } from "./value-readers.ts";

/** The tools that edit files. */
const editing: readonly Trigger[] = ["Edit", "Write", "MultiEdit", "NotebookEdit"].map((tool) => ({ tool }));

/** Reads what a requirement guards. A trigger with a pattern that cannot be used is left out; at least one must stay. */
export function toTriggers(value: Located | undefined, owner: string, report: Report): readonly Trigger[] {
  if (value === undefined) return editing;
  const items = value.type === "list" ? value.items : [value];
  const triggers = items.flatMap((item) => toTrigger(item, owner, report));
  if (triggers.length > 0 || items.length === 0) return triggers;
  throw new BadValue(
    value,
    "none of its triggers can be used",
    "Give it a trigger, or remove trigger_tools.",
  );
}

function toTrigger(value: Located, owner: string, report: Report): readonly Trigger[] {
  if (value.type !== "map") return [{ tool: readName(value, "each of trigger_tools") }];
  tellKeys(report, value, "trigger", `a trigger of ${owner}`);
  const tool = readKey(value, "tool", readName);
  if (tool === undefined)
    throw new BadValue(value, "a trigger names no tool", "Write `tool: Bash` above its command_pattern.");
  const pattern = readKey(value, "command_pattern", readText);
  if (pattern === undefined) return [{ tool }];
  const fault = findPatternFault(pattern);
  if (fault === undefined) return [{ tool, pattern }];
  const place = value.entries.get("command_pattern") ?? value;
  tellProblem(
    report,
    place,
    `A trigger of ${owner} is left out: its command_pattern ${shorten(pattern)} cannot be used (${shorten(fault)}).`,
    "Write it without looking ahead or behind and without referring back to a group.",
  );
  return [];
}
