import { isJsonObject, objectOf, textOf } from "../../clients/claude-code/wire.ts";
import { isDraftCommand } from "../../handover/draft-commands.ts";
import { fold } from "../../lib/markdown/fold.ts";
import type { ConversationLog } from "../../sessions/conversation-log.ts";
import type { Entry, Json, ToolCallPart } from "../../sessions/entry.ts";
import { mainStrand } from "../../sessions/ids.ts";
import type { InboxItem } from "../../sessions/inbox.ts";
import type { Session } from "../../sessions/session.ts";
import { fieldOf, ToolRuns } from "../../sessions/tool-runs.ts";
import { userWords } from "../../sessions/user-words.ts";
import { readSince } from "../../work/read-since.ts";
import type { TurnSpan } from "../intake/moments.ts";

/** What a turn is known to have done. */
export interface TurnWork {
  /** The commands after which a draft is made, as they would be typed; each once. */
  readonly commands: readonly string[];
  /** The files that its tools have changed, each by the path that they were given. */
  readonly files: readonly string[];
}

/** What a turn is read from. */
export interface TurnSources {
  readonly log: ConversationLog;
  /** Undefined while the log does not know it. */
  readonly session: Pick<Session, "id" | "entries"> | undefined;
  /** What hooks have told of the session and is not in the log yet. */
  readonly items: readonly InboxItem[];
}

/** More than a person reads. */
const longestCommand = 200;

/** Reads what a turn ran and changed, from the transcript and from what hooks saw of it. */
export async function readTurnWork(
  { log, session, items }: TurnSources,
  { fromMs, toMs }: TurnSpan,
): Promise<TurnWork> {
  const isWithin = (at: Date) => at.getTime() > fromMs && at.getTime() <= toMs;
  const entries = session === undefined ? [] : await readSince(log, session, new Date(fromMs));
  const runs = new ToolRuns();
  // Calls may be older than their results.
  const done = entries.map((entry) => ({ entry, calls: callsOf(entry, runs) }));
  const own = done.filter(({ entry }) => isWithin(entry.at));
  const calls = own.flatMap((each) => each.calls);
  const commands = [
    ...own.flatMap(({ entry }) => userWords(entry).map(({ text }) => toTyped(text))),
    ...calls.filter(({ name }) => name === "Skill").map(({ input }) => toLine(input, "skill", "args")),
    ...items.filter(({ receivedAt }) => isWithin(receivedAt)).map(toTold),
  ];
  return { commands: told(commands), files: told(calls.map(changedBy)) };
}

/** Returns texts, each once. */
function told(texts: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(texts.filter((text) => text !== undefined))];
}

/** Returns the calls that an entry says to have gone well. What subagents do is their own. */
function callsOf(entry: Entry, runs: ToolRuns): readonly ToolCallPart[] {
  if (entry.strand !== mainStrand) return [];
  return runs.follow(entry).flatMap(({ call, result }) => (result.failed === true ? [] : [call]));
}

function toTyped(text: string): string | undefined {
  const [, name = "", args = ""] = /^\/(\S+)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  return toCommand(name, args);
}

function toLine(input: Json | undefined, nameField: string, argsField: string): string | undefined {
  const [name, args] = [fieldOf(input, nameField), fieldOf(input, argsField)];
  return typeof name === "string" ? toCommand(name, typeof args === "string" ? args : "") : undefined;
}

function toTold({ event, payload }: InboxItem): string | undefined {
  if (!isJsonObject(payload)) return undefined;
  if (event === "UserPromptExpansion") return toLine(payload, "command_name", "command_args");
  const isSkill = event === "PostToolUse" && textOf(payload, "tool_name") === "Skill";
  return isSkill ? toLine(objectOf(payload, "tool_input"), "skill", "args") : undefined;
}

/** Returns a command as it would be typed; undefined for one after which no draft is made. */
function toCommand(name: string, args: string): string | undefined {
  if (!isDraftCommand(name)) return undefined;
  return fold(`/${name.replace(/^\//, "")} ${args}`)
    .slice(0, longestCommand)
    .trim();
}

const editors: ReadonlySet<string> = new Set(["Edit", "MultiEdit", "NotebookEdit", "Write"]);

function changedBy({ name, input }: ToolCallPart): string | undefined {
  const path = editors.has(name)
    ? (fieldOf(input, "file_path") ?? fieldOf(input, "notebook_path"))
    : undefined;
  return typeof path === "string" ? path : undefined;
}
