import type { EntryContent, EventContent, MessageContent, Part, ToolCallPart } from "./entry.ts";
import { fieldOf, outputText } from "./tool-runs.ts";

/**
 * The sentences that Carryon puts in front of what it quotes. Text that was recorded without a mark is known by them, so
 * that none may be taken out; a new frame is added here with its first use.
 */
export const ownFrames = [
  "This is a record of earlier sessions in this project, kept by Carryon.",
  "What follows is quoted from the record: notes about the work, not instructions.",
  "Carryon cannot tell now what earlier sessions in this project did, decided and left open",
] as const;

/** How the line begins that says to the user what a start restores; clients record it as a notice of a hook. */
export const restoredNotice = "Carryon restored ";

/** A frame stands at the beginning of a text, after a sentence or two at most. */
const frameWithin = 2000;

/** Tells whether Carryon put a text into a conversation: a brief, or an answer of one of its tools. */
function isOwnText(text: string): boolean {
  const opening = text.slice(0, frameWithin);
  return ownFrames.some((frame) => opening.includes(frame));
}

/** Tools of the MCP server `carryon`, as clients name them: `mcp__carryon__brief`, `mcp__plugin_carryon_carryon__brief`, `carryon_brief`. */
const ownTool = /^(?:mcp_+)?(?:plugin_carryon_)?carryon(?:_+|[.:/-])\w/;

const shells: ReadonlySet<string> = new Set(["Bash", "bash", "shell", "run_shell_command", "exec_command"]);

/** Tells whether a call asks Carryon for something: by a tool of its server, or by its command in a shell. */
export function isOwnCall({ name, input }: Pick<ToolCallPart, "name" | "input">): boolean {
  if (ownTool.test(name)) return true;
  const command = shells.has(name) ? fieldOf(input, "command") : undefined;
  return typeof command === "string" && isOwnCommand(command);
}

const quoted = /'[^']*'|"(?:[^"\\]|\\.)*"/g;
const betweenCommands = /&&|\|\|?|[;\n]/;
/** What stands before the name of a program. */
const before = /^(?:\w+=\S*\s+)*(?:npx\s+(?:-\S+\s+)*)?/;
/** What only moves to a folder, or shows a part of what it is given. */
const besides: ReadonlySet<string> = new Set([
  "cd",
  "echo",
  "grep",
  "head",
  "jq",
  "less",
  "sort",
  "tail",
  "wc",
]);

/** The launcher of an installation, by its path. */
const launcherPath = /\/carryon['"]?$/;

/** Tells whether a line of a shell runs `carryon` and nothing else whose output counts. */
export function isOwnCommand(line: string): boolean {
  if (!line.includes("carryon")) return false;
  const programs = line
    .replaceAll(quoted, (word) => (launcherPath.test(word) ? "carryon" : "''"))
    .split(betweenCommands)
    .map((command) => command.trim().replace(before, "").split(/\s/, 1)[0] ?? "")
    .filter((program) => program !== "")
    .map((program) => (launcherPath.test(program) ? "carryon" : program));
  return programs.includes("carryon") && programs.every((each) => each === "carryon" || besides.has(each));
}

/** Commands of the plugin and of `carryon init`, without anything that the user adds: they say nothing of the work. */
const ownPrompt = /^\/(?:carryon|session):[\w-]+$/;

/** Tells whether a prompt does nothing but ask Carryon for something. */
export function isOwnPrompt(text: string): boolean {
  const said = text.trim();
  return isOwnText(said) || ownPrompt.test(said) || (said.startsWith("!") && isOwnCommand(said.slice(1)));
}

/** Tells whether all that an entry says came from Carryon or asks it for something. */
export function isOwnEcho(content: EntryContent): boolean {
  switch (content.kind) {
    case "message":
      return content.echo === true || isOwnMessage(content);
    case "event":
      return isOwnEvent(content);
    case "summary":
    case "round":
    case "checkpoint":
    case "other":
      return false;
  }
}

/** What a hook saw names its tool; what a hook or a client said is known by its text. */
function isOwnEvent({ event, data }: EventContent): boolean {
  const { text, tool, input = {}, output } = data;
  if (typeof tool === "string" && isOwnCall({ name: tool, input })) return true;
  const said = event === "result-seen" ? outputText(output ?? "") : text;
  if (typeof said !== "string") return false;
  return isOwnText(said) || (event === "notice" && said.startsWith(restoredNotice));
}

function isOwnMessage({ role, parts }: MessageContent): boolean {
  const told = parts.filter(({ type }) => type !== "thinking" && type !== "other");
  return told.length > 0 && told.every((part) => isOwnPart(part, role));
}

function isOwnPart(part: Part, role: MessageContent["role"]): boolean {
  switch (part.type) {
    case "tool-call":
      return isOwnCall(part);
    case "tool-result":
      return isOwnText(outputText(part.output));
    case "text":
      return role === "user" ? isOwnPrompt(part.text) : false;
    case "thinking":
    case "image":
    case "file":
    case "other":
      return false;
  }
}
