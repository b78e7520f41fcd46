import { isAbsolute, resolve, sep } from "node:path";
import type { GateConfig } from "../gate.ts";
import { isJsonObject, type JsonObject } from "../state/json-object.ts";
import { activeGates } from "../verdict/ask-tool.ts";
import type { ShellCall, ToolCall } from "../verdict/facts.ts";
import { findPatterns } from "./find-patterns.ts";

/** A tool call as clients tell of it at a hook. */
export interface WireCall {
  readonly cwd?: unknown;
  readonly tool_name?: unknown;
  readonly tool_input?: unknown;
  readonly tool_use_id?: unknown;
}

/** Where a call is read. */
export interface CallSite {
  readonly config: GateConfig;
  readonly root: string;
  /** The folders whose files are plans. */
  readonly plans: readonly string[];
  /** The program by which commands of the client start Carryon, beside its name. */
  readonly launcher?: string | undefined;
}

/** Reads a tool call; undefined where the payload names no tool. */
export async function toToolCall(wire: WireCall, site: CallSite): Promise<ToolCall | undefined> {
  const { tool_name: tool, tool_input: input } = wire;
  if (typeof tool !== "string") return undefined;
  const fields = asRecord(input);
  const shell = await toShellCall(tool, fields, site);
  return { tool, ...(shell && { shell }), ...(writesPlan(wire, fields, site) && { writesPlan: true }) };
}

/** Returns what a call is known by before and after it runs. */
export function callId({ tool_use_id: id }: WireCall): string {
  return typeof id === "string" ? id : "";
}

/** Returns the fields of a value; none where it has none. */
export function asRecord(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

async function toShellCall(
  tool: string,
  { command }: JsonObject,
  { config, launcher }: CallSite,
): Promise<ShellCall | undefined> {
  if (tool !== "Bash" || typeof command !== "string") return undefined;
  // What parses commands is only loaded for them.
  const [{ readCommand }, { isCarryonCommand }] = await Promise.all([
    import("../shell/classify-command.ts"),
    import("../shell/is-carryon-command.ts"),
  ]);
  const { verdict, programs } = readCommand(command);
  const found = await findPatterns(activeGates(config), [command, ...programs]);
  const isCarryon = isCarryonCommand(command, launcher);
  return { command, found, verdict: isCarryon ? "reads" : verdict, isCarryon };
}

function writesPlan({ cwd }: WireCall, { file_path: file }: JsonObject, { root, plans }: CallSite): boolean {
  if (typeof file !== "string") return false;
  const path = isAbsolute(file) ? resolve(file) : resolve(typeof cwd === "string" ? cwd : root, file);
  return plans.some((folder) => path.startsWith(`${folder}${sep}`));
}
