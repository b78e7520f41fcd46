import { type Command, dropWhile, type Pipeline, shellPipelines } from "./shell-pipelines.ts";

/** One command of a command line. */
export interface Step {
  /** The program by its bare name, then its arguments; without variables and words that only run the rest. */
  readonly words: readonly string[];
  /** The words as they were typed, with variables and words that only run the rest. */
  readonly typed: readonly string[];
  /** The chain of `&&` that it belongs to: a step of one runs only after those before it have passed. */
  readonly chain: string;
  /** Whether the exit code of the line says how this step ended. */
  readonly decides: boolean;
  /** Whether the line may succeed without it, as in `ls || make`. */
  readonly mayBeSkipped: boolean;
  /**
   * Which pipeline of the line it belongs to: `0`, `1` …, `1.0` for one inside a command of the second, and `1.in0` for
   * one in brackets that the second reads.
   */
  readonly pipeline: string;
  /** The files that its output goes to. */
  readonly writes: readonly string[];
}

/** Lines of commands inside commands are followed this deep, as in `bash -c "bash -c …"`. */
const mostNested = 3;

/** Returns the commands that a line of a shell runs, in order. */
export function commandSteps(line: string): readonly Step[] {
  return stepsOf(line, 0);
}

function stepsOf(line: string, depth: number): readonly Step[] {
  const pipelines = shellPipelines(line);
  const keepsFailure = pipelines.some((each) => isSet(each, /^set (?:\S+ )*-\w*o pipefail(?: |$)/));
  const stopsAtOnce = pipelines.some(
    (each) => !each.isInSubshell && isSet(each, /^set (?:\S+ )*(?:-\w*e|-o errexit)/),
  );
  const names = namesOf(pipelines);
  let chain = 0;
  const chains = pipelines.map((_, index) => {
    if (index > 0 && pipelines[index - 1]?.joint !== "&&") chain += 1;
    return chain;
  });
  const decide = decidingPipelines(pipelines, { stopsAtOnce, keepsFailure });
  return pipelines.flatMap(({ commands, mayBeSkipped }, index) => {
    const keeps = keepsFailure || exitsWithFirst(pipelines[index + 1]);
    return commands.flatMap((command, place) => {
      const ends = keeps || place === commands.length - 1;
      const decides = decide[index] === true && command.words[0] !== "!" && ends;
      // Of a pipeline, only the last command lets the chain go on.
      const link = ends && !mayBeSkipped ? `${chains[index]}` : `${chains[index]}/${place}`;
      return toSteps(command, { decides, mayBeSkipped, pipeline: names[index] ?? "", chain: link, depth });
    });
  });
}

function isSet({ commands }: Pipeline, option: RegExp): boolean {
  return commands.some(({ words }) => option.test(words.join(" ")));
}

/** Tells whether a pipeline is an `exit` with the codes of the one before it. */
function exitsWithFirst(pipeline: Pipeline | undefined): boolean {
  const [program, code = ""] = pipeline?.commands[0]?.words ?? [];
  return program === "exit" && code.includes("PIPESTATUS");
}

/** Of more brackets inside each other the names would grow with their square. */
const mostOfName = 100;

/** Names each pipeline so that the name of the one that reads it is the beginning of its own. */
function namesOf(pipelines: readonly Pipeline[]): readonly string[] {
  const names: string[] = [];
  for (const [index, { into }] of [...pipelines.entries()].reverse()) {
    const reader = into === undefined ? "" : (names[into] ?? String(into));
    names[index] = reader === "" || reader.length > mostOfName ? String(index) : `${reader}.in${index}`;
  }
  return names;
}

const variable = /^[A-Za-z_]\w*\+?=/;
const mostCarriers = 10;
/** Words that run the words after them, and how many words of their own they take. */
const carriers: readonly { readonly words: RegExp; readonly takes: RegExp }[] = [
  {
    words: /^(?:!|time|nohup|command|exec|builtin|env|sudo|doas|nice|ionice|stdbuf|xvfb-run|chronic)$/,
    takes: /^-/,
  },
  { words: /^(?:npx|bunx|pnpx)$/, takes: /^-/ },
  { words: /^timeout$/, takes: /^(?:-|[\d.]+[smhd]?$|(?:SIG)?[A-Z]{3,4}\d?$)/ },
  { words: /^(?:uv|poetry|pipenv|pdm|hatch|rye) run$/, takes: /^-/ },
  { words: /^(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)$/, takes: /^-/ },
  { words: /^bundle exec$/, takes: /^-/ },
];
/** Options whose value stands in the next word. */
const withValue = /^(?:-[nku]|-p|--package|--signal|--adjustment)$/;

function toSteps(
  command: Command,
  place: Pick<Step, "decides" | "mayBeSkipped" | "pipeline" | "chain"> & { readonly depth: number },
): readonly Step[] {
  const words = withoutCarriers(command.words);
  const program = (words[0] ?? "").replace(/^.*[\\/](?=.)/, "");
  const inner = innerLine(program, words);
  if (inner === undefined || place.depth >= mostNested) {
    const { depth: _, ...where } = place;
    if (program === "") return [];
    return [{ ...where, words: [program, ...words.slice(1)], typed: command.words, writes: command.writes }];
  }
  return stepsOf(inner, place.depth + 1).map((step) => ({
    ...step,
    decides: step.decides && place.decides,
    mayBeSkipped: step.mayBeSkipped || place.mayBeSkipped,
    pipeline: `${place.pipeline}.${step.pipeline}`,
    chain: `${place.chain}.${step.chain}`,
    writes: [...step.writes, ...command.writes],
  }));
}

function withoutCarriers(words: readonly string[], depth = 0): readonly string[] {
  const rest = dropWhile(words, (word) => variable.test(word));
  const carrier = carriers.find(
    ({ words: lead }) => lead.test(rest[0] ?? "") || lead.test(rest.slice(0, 2).join(" ")),
  );
  if (carrier === undefined || depth > mostCarriers) return rest;
  let at = carrier.words.test(rest[0] ?? "") ? 1 : 2;
  while (at < rest.length && carrier.takes.test(rest[at] ?? "")) at += withValue.test(rest[at] ?? "") ? 2 : 1;
  return withoutCarriers(rest.slice(at), depth + 1);
}

/** Returns the line that a shell is given as an argument, as in `bash -lc "make"`. */
function innerLine(program: string, words: readonly string[]): string | undefined {
  if (!/^(?:ba|da|z|k)?sh$/.test(program)) return undefined;
  const option = words.findIndex((word) => /^-\w*c$/.test(word));
  return option < 0 ? undefined : words[option + 1];
}

/** What a line has told its shell about failures. */
interface ShellOptions {
  /** `set -e`: the line ends with the first of them. */
  readonly stopsAtOnce: boolean;
  /** `set -o pipefail`: a pipeline fails with any of its commands. */
  readonly keepsFailure: boolean;
}

/** Tells of each pipeline whether its failure is the failure of the line: what follows it runs only after a success. */
function decidingPipelines(
  pipelines: readonly Pipeline[],
  { stopsAtOnce, keepsFailure }: ShellOptions,
): readonly boolean[] {
  const decide: boolean[] = [];
  for (const [index, pipeline] of [...pipelines.entries()].reverse())
    decide[index] = isPassedOn(pipeline, pipelines[index + 1], decide[index + 1] === true);
  return pipelines.map((pipeline, index) => {
    const isHidden = pipeline.into !== undefined && !keepsFailure;
    return !isHidden && (decide[index] === true || (stopsAtOnce && stopsLine(pipeline)));
  });
}

/** Tells whether a failure is that of the line, by what comes next and whether a failure of that is. */
function isPassedOn(pipeline: Pipeline, next: Pipeline | undefined, isNextPassedOn: boolean): boolean {
  const { joint, isCondition, isInSubshell } = pipeline;
  if (joint === "&" || isCondition) return false;
  if (next === undefined) return true;
  if (joint === "&&" || joint === "|") return isNextPassedOn;
  // In brackets `exit` ends only these, and what comes after them decides.
  return passesOn(joint, next.commands[0]?.words ?? []) && (isNextPassedOn || !isInSubshell);
}

/** Tells whether the next command ends the line with the same outcome, as in `make || exit 1`. */
function passesOn(joint: string, [program, code = "$?"]: readonly string[]): boolean {
  return program === "exit" && (joint === "||" ? code !== "0" : /^\$[?{P]/.test(code));
}

/** Tells whether a failure ends a line at once where it is told to; not where the line asks for the outcome. */
function stopsLine({ joint, isCondition, isGuarded }: Pipeline): boolean {
  return !["&", "&&", "||", "|"].includes(joint) && !isCondition && isGuarded !== true;
}
