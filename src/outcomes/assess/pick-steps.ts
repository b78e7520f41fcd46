import type { Filters } from "../scope/filters.ts";
import type { Step } from "../shell/command-steps.ts";
import { type StepKind, stepKind } from "./step-kind.ts";

/** A step whose result matters. */
export interface WorkStep extends Step {
  readonly kind: StepKind;
  /** The folder that the line went to before it, as it was typed; undefined where it stayed. */
  readonly folder: string | undefined;
  /** Whether a failure of the line can be nobody else's. */
  readonly isAlone: boolean;
  /** Whether what looks like its words can be nobody else's. */
  readonly isClear: boolean;
  /** What its output went through before it was shown. */
  readonly filters: Filters;
  /** What the line has `echo` say of its exit code, around it: `exit: ` and "" for `; echo "exit: $?"`. */
  readonly codeBetween: readonly string[];
  /** What the line itself has `echo` say. */
  readonly told: readonly string[];
}

/** Of a longer line the last commands are looked at: they decide how it ended. */
const mostSteps = 50;

const shown: ReadonlySet<StepKind> = new Set(["view", "quiet", "other"]);

/** Returns the steps of a line whose result counts, in order: those that do work. */
export function pickSteps(steps: readonly Step[]): readonly WorkStep[] {
  const known = steps.slice(-mostSteps).map((step) => ({ ...step, kind: stepKind(step) }));
  const works = known.filter(({ kind }) => !shown.has(kind));
  const told = known.filter(({ words }) => /^(?:echo|printf)$/.test(words[0] ?? ""));
  return works.map((step) => ({
    ...step,
    folder: folderAfter(steps.slice(0, steps.length - known.length + known.indexOf(step))),
    isAlone: works.length === 1 && known.every((other) => other.kind === "quiet" || other === step),
    isClear: known.every((other) => isNoTalk(other, step, known)),
    filters: filtersOf(step, known.slice(known.indexOf(step) + 1)),
    codeBetween: codeOf(step, known),
    told: told.map(({ words }) => words.slice(1).join(" ")),
  }));
}

/** Returns the words around the exit code of a step that the next one prints; of a pipe, `$?` is that of its last command. */
function codeOf(step: Step, known: readonly Step[]): readonly string[] {
  const ofPipe = known.filter(({ pipeline }) => pipeline === step.pipeline);
  const next = known.slice(known.indexOf(step) + 1).find(({ pipeline }) => pipeline !== step.pipeline);
  const text = next?.words[0] === "echo" ? next.words.slice(1).join(" ") : "";
  const ofLast = ofPipe.at(-1) === step ? text.split("$?", 2) : [];
  const ofFirst = ofPipe[0] === step ? text.split(/\$PIPESTATUS\b|\$\{PIPESTATUS\[0\]\}/, 2) : [];
  return [ofLast, ofFirst].find(({ length }) => length === 2) ?? [];
}

/** Returns the folder that `cd` led to. */
function folderAfter(steps: readonly Step[]): string | undefined {
  return steps
    .filter(({ words }) => words[0] === "cd" || words[0] === "pushd")
    .reduce<string | undefined>((at, { words: [, to = "~"] }) => {
      return at === undefined || /^[/~$-]/.test(to) ? to : `${at}/${to}`;
    }, undefined);
}

const [mostFilters, longestFilter] = [6, 200];

function filtersOf(of: Step, later: readonly Step[]): Filters {
  const readers = later.filter((step) => reads(step, of));
  const isUnread = (file: string) => !later.some(({ words }) => words.includes(file));
  return [
    ...[of, ...readers].flatMap(({ writes }) => writes.filter(isUnread).map((file) => `> ${file}`)),
    ...readers.map(({ words }) => words.filter((word) => !of.writes.includes(word)).join(" ")),
  ]
    .slice(0, mostFilters)
    .map((filter) => filter.slice(0, longestFilter));
}

/** What may print anything at all. */
const talkers: ReadonlySet<StepKind> = new Set(["view", "other", "script", "run"]);

type KnownStep = Step & { readonly kind: StepKind };

/** Tells whether a step can have printed nothing that looks like the result of another. */
function isNoTalk(step: KnownStep, of: KnownStep, known: readonly KnownStep[]): boolean {
  if (step === of || !talkers.has(step.kind)) return true;
  // What shows the output of others that it reads is asked for with them.
  return step.kind === "view" && (reads(step, of) || known.find((other) => reads(step, other)) !== step);
}

/** Tells whether a step reads what another one prints: in its pipeline, in a block that it reads, or from its file. */
function reads(reader: Step, { pipeline, writes }: Step): boolean {
  const isPiped = `${pipeline}.`.startsWith(`${reader.pipeline}.`);
  return isPiped || reader.words.some((word) => writes.includes(word));
}
