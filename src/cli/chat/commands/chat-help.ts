import { padEnd, wrap } from "../../../lib/terminal-text.ts";
import type { ChatCommand } from "./chat-command.ts";

const keys: readonly (readonly [key: string, does: string])[] = [
  ["Enter", "Send"],
  ["Alt+Enter", "Begin a new line; so do Shift+Enter, Ctrl+J, and Enter behind a \\"],
  ["Up, Down", "Go through what was typed before"],
  ["Ctrl+R", "Search what was typed before"],
  ["Tab", "Complete a command, an id, or the name of a file"],
  ["Ctrl+C", "Stop the reply; clear the line; twice on an empty line, leave"],
  ["Ctrl+D", "Leave, on an empty line"],
  ["Ctrl+Z", "Suspend; fg comes back"],
];

/** Lists the commands of a chat, and on a terminal its keys. */
export function renderChatHelp(commands: readonly ChatCommand[], columns: number | undefined): string {
  const rows = commands.map(({ name, takes, summary }) => [`/${name} ${takes}`.trimEnd(), summary] as const);
  const shown = columns === undefined ? rows : [...rows, ["", ""] as const, ...keys];
  const width = Math.max(...shown.map(([name]) => name.length));
  const slash = "What begins with two slashes is said to the model with one.";
  return [...shown.map(([name, does]) => renderRow(name, does, width, columns)), "", slash].join("\n");
}

function renderRow(name: string, does: string, width: number, columns: number | undefined): string {
  const beside = padEnd(name, width + 2);
  if (columns === undefined) return (beside + does).trimEnd();
  const [first = "", ...others] = wrap(does, columns, " ".repeat(width + 2)).split("\n");
  return [(beside + first.slice(width + 2)).trimEnd(), ...others].join("\n");
}
