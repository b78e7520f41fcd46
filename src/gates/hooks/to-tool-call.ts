import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { compileNeededText, compilePattern, compileSimplePattern } from "../config/compile-pattern.ts";
import type { Gate, GateConfig } from "../gate.ts";
import { asRecord, type JsonObject } from "../json-object.ts";
import type { ShellCall, ToolCall } from "../judge.ts";
import { activeGates } from "../verdict/ask-tool.ts";

/** A tool call as clients tell of it at a hook. */
export interface WireCall {
  readonly cwd?: unknown;
  readonly tool_name?: unknown;
  readonly tool_input?: unknown;
  readonly tool_use_id?: unknown;
  /** What came of it, where it has run. */
  readonly tool_response?: unknown;
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
  const isLeft =
    fields.run_in_background === true || asRecord(wire.tool_response).backgroundTaskId !== undefined;
  const shell = await toShellCall(tool, fields, { ...site, isLeft });
  return { tool, ...(shell && { shell }), ...(writesPlan(wire, fields, site) && { writesPlan: true }) };
}

/** Returns what a call is known by before and after it runs. */
export function callId({ tool_use_id: id }: WireCall): string {
  return typeof id === "string" ? id : "";
}

async function toShellCall(
  tool: string,
  { command }: JsonObject,
  { config, launcher, isLeft }: CallSite & { readonly isLeft: boolean },
): Promise<ShellCall | undefined> {
  if (tool !== "Bash" || typeof command !== "string") return undefined;
  // What parses commands is only loaded for them.
  const [{ readCommand }, { isCarryonCommand }, { leavesBranch }] = await Promise.all([
    import("../classify-command.ts"),
    import("../shell/list-plain-commands.ts"),
    import("../shell/list-plain-commands.ts"),
  ]);
  const { verdict, programs, runsOn } = readCommand(command);
  const found = await findPatterns(activeGates(config), [command, ...programs]);
  const isCarryon = isCarryonCommand(command, launcher);
  return {
    ...{ command, found, verdict: isCarryon ? "reads" : verdict, isCarryon },
    ...{ leavesBranch: leavesBranch(command), runsOn: runsOn || isLeft },
  };
}

function writesPlan({ cwd }: WireCall, { file_path: file }: JsonObject, { root, plans }: CallSite): boolean {
  if (typeof file !== "string") return false;
  const path = isAbsolute(file) ? resolve(file) : resolve(typeof cwd === "string" ? cwd : root, file);
  const folder = plans.find((each) => path.startsWith(`${each}${sep}`));
  // The folder of a client may itself be kept elsewhere; what is in the work tree must be there in fact.
  return (
    folder !== undefined && isBelow(folder, path, { mayBeElsewhere: !folder.startsWith(`${root}${sep}`) })
  );
}

/** Tells whether a path that is below a folder by its name is there in fact: a link may lead to any file. */
function isBelow(folder: string, path: string, { mayBeElsewhere }: { mayBeElsewhere: boolean }): boolean {
  const real = (at: string): string => {
    const parent = dirname(at);
    return lstatSync(at, { throwIfNoEntry: false }) === undefined && parent !== at
      ? join(real(parent), basename(at))
      : realpathSync(at);
  };
  try {
    const around = mayBeElsewhere ? real(dirname(folder)) : dirname(folder);
    return real(path).startsWith(`${join(around, basename(folder))}${sep}`);
  } catch {
    // A link in a circle, or to what is not there.
    return false;
  }
}

/** Returns the patterns of gates that are found in one of some texts. What looks for them is loaded only where it is needed. */
async function findPatterns(gates: readonly Gate[], texts: readonly string[]): Promise<ReadonlySet<string>> {
  const patterns = new Set(gates.flatMap(({ triggers }) => triggers.flatMap(({ pattern }) => pattern ?? [])));
  const engine = [...patterns].some((pattern) => needsEngine(pattern, texts))
    ? await import("../config/re2-pattern.ts")
    : undefined;
  const load = () => {
    if (engine === undefined)
      throw new Error("A pattern that needs an engine was taken for one that does not.");
    return engine;
  };
  const isFound = (pattern: string) => {
    const { finds } = compilePattern(pattern, load);
    return texts.some((text) => finds(text));
  };
  return new Set([...patterns].filter(isFound));
}

function needsEngine(pattern: string, texts: readonly string[]): boolean {
  if (compileSimplePattern(pattern) !== undefined) return false;
  return texts.some(compileNeededText(pattern));
}
