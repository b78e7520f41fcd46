import type { Gate } from "../gate.ts";
import type { Facts } from "./facts.ts";

/** What a shell command wrote while a gate that guards edits was not satisfied. */
export interface ShellWrite {
  readonly command: string;
  readonly files: readonly string[];
}

/** The field of a standing's metadata that holds it. */
const field = "shell_write";

/** Enough to recognise it by. */
const longest = 200;
const most = 5;

/** Returns the metadata that tell of a write. */
export function recordShellWrite({ command, files }: ShellWrite): Readonly<Record<string, unknown>> {
  return { [field]: { command: command.slice(0, longest), files: files.slice(0, most) } };
}

/** Returns of metadata only what tells of a write. */
export function keepShellWrite(
  metadata: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return field in metadata ? { [field]: metadata[field] } : {};
}

/** Returns what this session's shell wrote past a gate, if it did. */
export function findShellWrite(gate: Gate, { state, session }: Facts): ShellWrite | undefined {
  const value = state.standing(gate.name, session).metadata[field];
  if (typeof value !== "object" || value === null) return undefined;
  const { command, files }: { command?: unknown; files?: unknown } = value;
  return {
    command: typeof command === "string" ? command : "",
    files: Array.isArray(files) ? files.filter((file) => typeof file === "string") : [],
  };
}
