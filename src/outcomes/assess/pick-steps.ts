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
  /** What the line itself has `echo` say. */
  readonly told: readonly string[];
}

/** Of a longer line the last commands are looked at: they decide how it ended. */
const mostSteps = 50;

const shown: ReadonlySet<StepKind> = new Set(["view", "quiet", "other"]);

/** Returns the steps of a line whose result counts, in order: those that do work. */
export function pickSteps(steps: readonly Step[]): readonly WorkStep[] {
  const known = steps.slice(-mostSteps).map((step) => ({ step, kind: stepKind(step) }));
  const works = known.filter(({ kind }) => !shown.has(kind));
  const told = known.filter(({ step }) => /^(?:echo|printf)$/.test(step.words[0] ?? ""));
  return works.map(({ step, kind }) => ({
    ...step,
    kind,
    folder: folderOf(steps, step),
    isAlone: works.length === 1 && known.every((other) => other.kind === "quiet" || other.step === step),
    isClear: known.every((other) => isNoTalk(other, step, known)),
    filters: filtersOf(step, known),
    told: told.map((other) => other.step.words.slice(1).join(" ")),
  }));
}

/** Returns the folder that `cd` led to before a step. */
function folderOf(steps: readonly Step[], of: Step): string | undefined {
  return steps
    .slice(0, steps.indexOf(of))
    .filter(({ words }) => words[0] === "cd" || words[0] === "pushd")
    .reduce<string | undefined>((at, { words: [, to = "~"] }) => {
      return at === undefined || /^[/~$-]/.test(to) ? to : `${at}/${to}`;
    }, undefined);
}

const [mostFilters, longestFilter] = [6, 200];

function filtersOf(of: Step, known: readonly KnownStep[]): Filters {
  const later = known.slice(known.findIndex(({ step }) => step === of) + 1).map(({ step }) => step);
  const reads = (step: Step) => isReadBy(of, step) || step.words.some((word) => of.writes.includes(word));
  const readers = later.filter(reads);
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

interface KnownStep {
  readonly step: Step;
  readonly kind: StepKind;
}

/** Tells whether a step can have printed nothing that looks like the result of another. */
function isNoTalk({ step, kind }: KnownStep, of: Step, known: readonly KnownStep[]): boolean {
  if (step === of || !talkers.has(kind)) return true;
  if (kind !== "view") return false;
  const isOfPipe = isReadBy(of, step) || isFilter(step, known);
  return isOfPipe || step.words.some((word) => of.writes.includes(word));
}

/** Tells whether a step shows what those before it in a pipe print: they are asked themselves. */
function isFilter(step: Step, known: readonly KnownStep[]): boolean {
  return known.find((other) => isReadBy(other.step, step))?.step !== step;
}

/** Tells whether a step is in the pipeline of another, or in a block that this one reads. */
function isReadBy({ pipeline }: Step, reader: Step): boolean {
  return `${pipeline}.`.startsWith(`${reader.pipeline}.`);
}
