import { renderShellWord } from "../lib/shell-word.ts";
import type { Json, Message, ToolCallPart } from "../sessions/entry.ts";
import type { ClientName } from "../sessions/session.ts";
import { fieldOf } from "../sessions/tool-runs.ts";
import type { CommandResult } from "./ran-command.ts";

/** The tools that run a command, as clients call them. */
const shells: ReadonlySet<string> = new Set(
  "bash shell local_shell exec_command run_shell_command run_terminal_cmd execute run_command".split(" "),
);

/** Tells whether a tool runs commands, by its name. */
export function isShell(name: string): boolean {
  return shells.has(name.toLowerCase());
}

/** Returns the command line that a tool was given to run; undefined for any other tool. */
export function readShellCall({ name, input }: ToolCallPart): string | undefined {
  if (!isShell(name)) return undefined;
  const command = fieldOf(input, "command") ?? fieldOf(input, "cmd");
  if (typeof command === "string") return command;
  const words: readonly Json[] = Array.isArray(command) ? command : [];
  const texts = words.filter((word) => typeof word === "string");
  // `["bash", "-lc", "make"]` runs the last word.
  if (texts.length === 3 && /^-\w*c$/.test(texts[1] ?? "")) return texts[2];
  return texts.length > 0 && texts.length === words.length ? texts.map(renderShellWord).join(" ") : undefined;
}

/** What came back from a shell. */
export interface ToldOfShell {
  readonly output: Json;
  readonly failed?: boolean;
  /** What the client knows besides. */
  readonly outcome?: Json | undefined;
  readonly client: ClientName;
}

/** Returns how a command ended and what it printed, or that it was only started; undefined where it was refused or stopped. */
export function readShellResult(told: ToldOfShell): Omit<CommandResult, "command"> | undefined {
  const { output, outcome, client } = told;
  const has = (name: string): boolean => {
    const value = fieldOf(outcome, name) ?? fieldOf(output, name);
    return value !== undefined && value !== false && value !== null;
  };
  if (has("interrupted") || has("denied")) return undefined;
  if (has("backgroundTaskId")) return { output: "", isOutputUnknown: true, isStarted: true };
  const exitCode = exitCodeOf(output);
  // Claude Code marks what failed; others may have said nothing about it.
  const failed = told.failed ?? (client === "claude-code" ? false : undefined);
  return {
    output: textOf(output),
    ...(printedIn(output) === undefined && { isOutputUnknown: true }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(failed === undefined ? {} : { failed }),
  };
}

/** Returns what the client knows of a result besides its text. */
export function clientsOutcome({ parts }: Pick<Message, "parts">): Json | undefined {
  const part = parts.find((each) => each.type === "other" && each.raw.type === "tool-outcome");
  return part?.type === "other" ? part.raw.outcome : undefined;
}

/** Reads the news of a client that something has ended in the background: its call, and its exit code or its report. */
export function readBackgroundEnd(text: string) {
  const [, code] = /\(?exit code (\d{1,3})\)?$/.exec(tagged(text, "summary") ?? "") ?? [];
  const exitCode = code === undefined ? undefined : Number(code);
  return { call: tagged(text, "tool-use-id") ?? "", exitCode, report: tagged(text, "result") ?? "" };
}

function tagged(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  const end = text.lastIndexOf(`</${tag}>`);
  return start < 0 || end < start ? undefined : text.slice(start + tag.length + 2, end);
}

function exitCodeOf(output: Json): number | undefined {
  const places = [output, fieldOf(output, "metadata")];
  const codes = places.flatMap((place) => ["exitCode", "exit_code"].map((name) => fieldOf(place, name)));
  return codes.find((code) => typeof code === "number" && Number.isInteger(code)) as number | undefined;
}

const textFields = ["text", "stdout", "stderr", "output", "content"] as const;

/** Returns what was printed; undefined where nothing says it, be it that it was nothing. */
function printedIn(output: Json): string | undefined {
  if (typeof output === "string") return output;
  const parts = Array.isArray(output) ? output : textFields.map((name) => fieldOf(output, name));
  const texts = parts.flatMap((part) => (part === undefined || part === null ? [] : (printedIn(part) ?? [])));
  return texts.length === 0 ? undefined : texts.join("\n");
}

/** Returns the text of what a tool gave back. */
export function textOf(output: Json): string {
  return printedIn(output) ?? "";
}
