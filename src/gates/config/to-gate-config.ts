import { toPrintableLine } from "../../lib/printable.ts";
import { type Gate, type GateConfig, scopes } from "../gate.ts";
import type { Layer } from "./parse-requirements.ts";
import { isFull, limitProblems, type Report, tellKeys, tellProblem } from "./report.ts";
import { shellWrites, toGate } from "./to-gate.ts";
import {
  emptyMap,
  type GateProblem,
  isNothing,
  type Located,
  type LocatedMap,
  shorten,
} from "./to-located.ts";
import {
  BadValue,
  type Reader,
  readKey,
  readMap,
  readOneOf,
  readSeconds,
  readSomeOf,
  readYesOrNo,
} from "./value-readers.ts";

/** A configuration and what is to be said about it. */
export interface ReadConfig {
  readonly config: GateConfig;
  readonly problems: readonly GateProblem[];
  /** What does no harm: settings of other tools that mean nothing here. */
  readonly notes: readonly GateProblem[];
}

/** What begins a session, as clients name it. */
const sources = ["startup", "resume", "clear", "compact", "fork"];

const longestName = 200;

/** Turns what the files say into a configuration. What is not valid is told and left out; the rest counts. */
export function toGateConfig({ root, isReadable, problems: before }: MergedLayers): ReadConfig {
  const report: Report = { problems: [...before], notes: [] };
  tellKeys(report, root, "file", "the configuration");
  // It was asked for when the files were merged; here it is only told if it is not valid.
  readOr(report, root, "inherit", readYesOrNo, true);
  const enabled = readOr(report, root, "enabled", readYesOrNo, true);
  const gates = toGates(report, root);
  const config = { enabled: enabled && isReadable, gates: isReadable ? gates : [], ...toHooks(report, root) };
  return { config, problems: limitProblems(report.problems), notes: report.notes };
}

function toGates(report: Report, root: LocatedMap): readonly Gate[] {
  const requirements = mapOf(report, root, "requirements");
  tellLikeNames(report, requirements);
  return [...requirements.entries].flatMap(([name, value]) => {
    const fault = findNameFault(name);
    if (fault === undefined) return toGate(name, isNothing(value) ? emptyMap(value) : value, report);
    const shown = name.trim() === "" ? JSON.stringify(shorten(name)) : shorten(name);
    const problem = `The requirement ${shown} is left out: its name ${fault}.`;
    tellProblem(report, value, problem, "Give it a name of a few words.");
    return [];
  });
}

/** Says which names people would take for one: whoever satisfies the one believes to have satisfied the other. */
function tellLikeNames(report: Report, { entries }: LocatedMap): void {
  const seen = new Map<string, string>();
  for (const [name, place] of entries) {
    if (isFull(report) || findNameFault(name) !== undefined) continue;
    const bare = name.normalize("NFC").trim().toLowerCase();
    const other = seen.get(bare);
    seen.set(bare, name);
    if (other !== undefined) {
      const problem = `The requirements ${quote(other)} and ${quote(name)} differ in capital letters, spaces or the way an accent is written alone; both count, each for itself.`;
      tellProblem(report, place, problem, "Give one of them another name, or remove it.");
    } else if (name.trim() !== name) {
      const problem = `The name of the requirement ${quote(name)} begins or ends with a space, which belongs to it.`;
      tellProblem(report, place, problem, "Remove the space.");
    }
  }
}

function quote(name: string): string {
  return JSON.stringify(shorten(name));
}

/** Says why a name cannot be that of a requirement: it becomes a key of the state file and part of messages. */
function findNameFault(name: string): string | undefined {
  if (name.trim() === "") return "is empty";
  if (name === "__proto__") return "is reserved";
  if (name.length > longestName) return `is longer than ${longestName} characters`;
  return toPrintableLine(name) === name ? undefined : "has characters that cannot be seen";
}

type Hooks = Omit<GateConfig, "enabled" | "gates">;

function toHooks(report: Report, root: LocatedMap): Hooks {
  const hooks = mapOf(report, root, "hooks");
  const start = mapOf(report, hooks, "session_start");
  const carryOver = mapOf(report, start, "carry_over");
  const stop = mapOf(report, hooks, "stop");
  const end = mapOf(report, hooks, "session_end");
  tellKeys(report, hooks, "hooks", "hooks");
  tellKeys(report, start, "session_start", "hooks.session_start");
  tellKeys(report, carryOver, "carry_over", "hooks.session_start.carry_over");
  tellKeys(report, stop, "stop", "hooks.stop");
  tellKeys(report, end, "session_end", "hooks.session_end");
  return {
    injectContext: readOr(report, start, "inject_context", readYesOrNo, true),
    carryOver: {
      enabled: readOr(report, carryOver, "enabled", readYesOrNo, true),
      windowSeconds: readOr(report, carryOver, "window_seconds", readSeconds, 300),
      sources: readOr(report, carryOver, "sources", readSomeOf(sources), ["clear", "compact"]),
    },
    verifyAtStop: {
      enabled: readOr(report, stop, "verify_requirements", readYesOrNo, true),
      scopes: readOr(report, stop, "verify_scopes", readSomeOf(scopes), scopes),
    },
    shellWrites: readOr(report, hooks, "shell_writes", readOneOf(shellWrites), "check"),
    clearAtEnd: readOr(report, end, "clear_session_state", readYesOrNo, false),
  };
}

function mapOf(report: Report, map: LocatedMap, key: string): LocatedMap {
  return readOr(report, map, key, readMap, emptyMap(map));
}

/** Reads a value; one that is not valid is told and counts as not set. */
function readOr<Value>(
  report: Report,
  map: LocatedMap,
  key: string,
  read: Reader<Value>,
  otherwise: Value,
): Value {
  try {
    return readKey(map, key, read) ?? otherwise;
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    const problem = `A setting counts as not set: ${error.message}; ${describeUsual(otherwise)}.`;
    tellProblem(report, error.place, problem, error.hint);
    return otherwise;
  }
}

/** Says what counts where a setting does not. */
function describeUsual(usual: unknown): string {
  if (Array.isArray(usual)) return `${usual.join(", ")} count instead`;
  return `${typeof usual === "object" ? "what is usual" : String(usual)} counts instead`;
}

/** The files that make up a configuration; each may be missing. */
interface Layers {
  readonly user?: Layer | undefined;
  readonly project?: Layer | undefined;
  readonly local?: Layer | undefined;
}

/** What the files say together. */
interface MergedLayers {
  readonly root: LocatedMap;
  readonly isReadable: boolean;
  readonly problems: readonly GateProblem[];
}

/**
 * Merges the files: maps are merged, lists and scalars are replaced by those of the later file. A project that says
 * `inherit: false` replaces the user's file. A key without a value leaves a map as it is, and takes away anything else.
 */
export function mergeLayers({ user, project, local }: Layers): MergedLayers {
  const inherited = project !== undefined && isAlone(project) ? [] : [user];
  const used = [...inherited, project, local].filter((layer) => layer !== undefined);
  return {
    root: used.reduce((merged, { root }) => mergeMaps(merged, root), emptyMap({ file: "", line: 1 })),
    isReadable: used.every(({ isReadable }) => isReadable),
    problems: used.flatMap(({ problems }) => problems),
  };
}

function isAlone({ root }: Layer): boolean {
  const inherit = root.entries.get("inherit");
  return inherit?.type === "scalar" && inherit.value === false;
}

function mergeMaps(base: LocatedMap, over: LocatedMap): LocatedMap {
  const entries = new Map(base.entries);
  for (const [name, value] of over.entries) entries.set(name, mergeValues(entries.get(name), value));
  return { ...over, entries };
}

function mergeValues(base: Located | undefined, over: Located): Located {
  if (base?.type !== "map") return over;
  if (over.type === "map") return mergeMaps(base, over);
  return isNothing(over) ? base : over;
}
