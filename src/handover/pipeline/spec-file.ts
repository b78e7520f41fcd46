import { isMap, LineCounter, parseDocument } from "yaml";
import { fold } from "../../lib/markdown/fold.ts";
import { describeConflicts, type Problem } from "../problem.ts";

/** How far a spec has come; an unknown phase is one that a newer or another tool has written. */
export type Phase = (typeof phases)[number] | "unknown";

const phases = ["initialized", "design-generated", "implementation-complete", "blocked"] as const;

/** What spec.yaml says of a spec. */
export interface SpecState {
  readonly name: string;
  readonly phase: Phase;
  /** Why it is blocked, if it is. */
  readonly blocked: { readonly by: string; readonly reason: string; readonly atPhase: string } | undefined;
  /** Null for a spec that is on no roadmap. */
  readonly wave: number | null;
  readonly dependencies: readonly string[];
}

/** A spec as far as it could be read; undefined when its file says nothing that can be used. */
export interface ParsedSpec {
  readonly spec: SpecState | undefined;
  readonly problems: readonly Problem[];
}

/** Reads the text of a spec.yaml. Never throws for what it says. */
export function parseSpec(name: string, text: string): ParsedSpec {
  const conflicts = describeConflicts(text);
  if (conflicts.length > 0) return { spec: undefined, problems: conflicts };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [error] = document.errors;
  if (error !== undefined) return broken(lines.linePos(error.pos[0]).line, error.code);
  if (!isMap(document.contents)) return broken(1, "no fields");
  const value = toPlain(() => document.toJS({ maxAliasCount: 20 }));
  if (value === undefined) return broken(1, "too many aliases");
  return readSpec(name, value);
}

function broken(line: number, what: string): ParsedSpec {
  const message = `this is not the YAML of a spec (${what.toLowerCase().replaceAll("_", " ")})`;
  return { spec: undefined, problems: [{ code: "bad-yaml", line, message }] };
}

/** The parser refuses a file whose aliases unfold to something huge. */
function toPlain(convert: () => unknown): Record<string, unknown> | undefined {
  try {
    return toRecord(convert());
  } catch (error) {
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

function readSpec(name: string, value: Record<string, unknown>): ParsedSpec {
  const written = toText(value.phase).toLowerCase().replaceAll(/[_ ]/g, "-");
  const phase = phases.find((each) => each === written) ?? "unknown";
  const info = toRecord(value.blocked_info);
  const roadmap = toRecord(value.roadmap);
  const wave = roadmap?.wave;
  const dependencies = roadmap?.dependencies;
  const spec: SpecState = {
    name,
    phase,
    blocked:
      info === undefined
        ? undefined
        : {
            by: toText(info.blocked_by),
            reason: toText(info.reason),
            atPhase: toText(info.blocked_at_phase),
          },
    wave: typeof wave === "number" && Number.isFinite(wave) ? wave : null,
    dependencies: Array.isArray(dependencies) ? dependencies.map(toText).filter((each) => each !== "") : [],
  };
  const message = written === "" ? "no phase is given" : `the phase ${written} is not known`;
  return { spec, problems: phase === "unknown" ? [{ code: "unknown-phase", line: 1, message }] : [] };
}

function toRecord(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function toText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? fold(String(value)) : "";
}
