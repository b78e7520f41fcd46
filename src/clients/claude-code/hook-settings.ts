import { type AppError, configError } from "../../lib/app-error.ts";
import { hookFile } from "../../lib/hook-files.ts";
import { appendChild, readIndent, removeChild } from "../../lib/jsonc/edit-jsonc.ts";
import { findMember, type JsoncNode, parseJsonc, toValue } from "../../lib/jsonc/parse-jsonc.ts";

/** The events that are recorded; every version of Claude Code that is supported knows them or passes over them. */
export const recordedEvents: readonly string[] = [
  "SessionStart",
  "UserPromptSubmit",
  "UserPromptExpansion",
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "SubagentStop",
  "PreCompact",
  "PostCompact",
  "Stop",
  "SessionEnd",
];

/** What a file of settings looked like before, as far as it cannot be seen afterwards. */
export interface SettingsBefore {
  /** Lists that were there and empty: `hooks`, `hooks.Stop`. */
  readonly empty: readonly string[];
}

/** Says that the settings have a form in which hooks cannot be added or removed. */
function badSettings(where: string, expected: string): AppError {
  return configError("bad-settings", `${where} is not ${expected}.`);
}

/** Returns the settings with our hook at each event; the same text when it is there already. */
export function addHooks(text: string, command: string): string {
  if (isInstalled(text, command)) return text;
  const unit = readIndent(text);
  return recordedEvents.reduce(
    (edited, event) => addHook(edited, { event, command, unit }),
    removeHooks(text),
  );
}

/** Returns the settings without our hooks, and without lists that are empty without them. */
export function removeHooks(text: string, before: SettingsBefore = { empty: [] }): string {
  const events = findMember(readRoot(text), "hooks")?.node.children ?? [];
  // The last that was added goes first: what one addition did to a line, the next one took for given.
  const order = (name: string) => recordedEvents.indexOf(name);
  const names = [...new Set(events.map((event) => event.key ?? ""))].sort(
    (one, other) => order(other) - order(one),
  );
  const edited = names.reduce((each, event) => removeFrom(each, event, before), text);
  if (edited === text) return text;
  return dropIfEmpty(edited, [], "hooks", before);
}

/** A hook of ours in the settings. */
export interface InstalledHook {
  readonly event: string;
  readonly command: string;
}

/** Returns our hooks in the settings, in the order in which they stand there. */
export function listHooks(text: string): readonly InstalledHook[] {
  const events = findMember(readRoot(text), "hooks")?.node.children ?? [];
  return events.flatMap(({ key: event = "", node }) => {
    const commands = node.children.flatMap((group) => commandsOf(group.node)).filter(isOurs);
    return commands.map((command) => ({ event, command }));
  });
}

/** Returns what our hooks in the settings run, each command once; none where there are none. */
export function listHookCommands(text: string): readonly string[] {
  return [...new Set(listHooks(text).map(({ command }) => command))];
}

/** Returns what has to be known to take the hooks out again without a trace. */
export function describeBefore(text: string): SettingsBefore {
  const hooks = findMember(readRoot(text), "hooks")?.node;
  if (hooks === undefined) return { empty: [] };
  if (hooks.children.length === 0) return { empty: ["hooks"] };
  const empty = hooks.children.filter(({ node }) => node.children.length === 0);
  return { empty: empty.map(({ key }) => `hooks.${key}`) };
}

function isInstalled(text: string, command: string): boolean {
  const root = readRoot(text);
  const hooks = findMember(root, "hooks")?.node;
  return recordedEvents.every((event) => {
    const groups = hooks && findMember(hooks, event)?.node;
    const ours = (groups?.children ?? []).flatMap(({ node }) => commandsOf(node).filter(isOurs));
    return ours.length === 1 && ours[0] === command;
  });
}

interface NewHook {
  readonly event: string;
  readonly command: string;
  readonly unit: string;
}

function addHook(text: string, { event, command, unit }: NewHook): string {
  const group = `{\n\t"hooks": [\n\t\t{ "type": "command", "command": ${JSON.stringify(command)} }\n\t]\n}`;
  const root = readRoot(text);
  const hooks = findMember(root, "hooks")?.node;
  if (hooks === undefined) {
    return appendChild(text, root, `"hooks": {\n\t${indent(member(event, group))}\n}`, unit);
  }
  if (hooks.type !== "object") throw badSettings('"hooks"', "an object");
  const groups = findMember(hooks, event)?.node;
  if (groups === undefined) return appendChild(text, hooks, member(event, group), unit);
  if (groups.type !== "array") throw badSettings(`"hooks.${event}"`, "a list");
  return appendChild(text, groups, group, unit);
}

function member(event: string, group: string): string {
  return `"${event}": [\n\t${indent(group)}\n]`;
}

function indent(rendered: string): string {
  return rendered.replaceAll("\n", "\n\t");
}

/** Removes our hooks from one event: whole groups where they hold nothing else. */
function removeFrom(text: string, event: string, before: SettingsBefore): string {
  let edited = text;
  for (;;) {
    const groups = locate(edited, ["hooks", event]);
    const index = groups?.children.findIndex(({ node }) => commandsOf(node).some(isOurs)) ?? -1;
    const group = groups?.children[index]?.node;
    if (groups === undefined || group === undefined) break;
    const list = findMember(group, "hooks")?.node;
    edited =
      list === undefined || commandsOf(group).every(isOurs)
        ? removeChild(edited, groups, index)
        : removeChild(
            edited,
            list,
            list.children.findIndex(({ node }) => isOurs(commandOf(node))),
          );
  }
  return edited === text ? text : dropIfEmpty(edited, ["hooks"], event, before);
}

/** Removes a member that holds nothing, unless it held nothing before us either. */
function dropIfEmpty(text: string, path: readonly string[], key: string, before: SettingsBefore): string {
  const parent = locate(text, path);
  const child = parent && findMember(parent, key);
  if (parent === undefined || child === undefined || child.node.children.length > 0) return text;
  if (before.empty.includes([...path, key].join("."))) return text;
  return removeChild(text, parent, parent.children.indexOf(child));
}

function locate(text: string, path: readonly string[]): JsoncNode | undefined {
  return path.reduce<JsoncNode | undefined>(
    (node, key) => node && findMember(node, key)?.node,
    readRoot(text),
  );
}

function readRoot(text: string): JsoncNode {
  const root = parseJsonc(text);
  if (root.type !== "object") throw badSettings("What the file holds", "an object");
  return root;
}

function commandsOf(group: JsoncNode): readonly unknown[] {
  return (findMember(group, "hooks")?.node.children ?? []).map(({ node }) => commandOf(node));
}

function commandOf(hook: JsoncNode): unknown {
  const command = findMember(hook, "command");
  return command && toValue(command.node);
}

function isOurs(command: unknown): command is string {
  // By the name of the bundle, wherever the home was when it was added.
  return typeof command === "string" && command.includes(hookFile);
}
