import { type Command, dropWhile, type Pipeline, shellPipelines } from "./shell-pipelines.ts";

/** One command of a command line. */
export interface Step {
  /** The program by its bare name, then its arguments; without variables and words that only run the rest. */
  readonly words: readonly string[];
  /** Whether the exit code of the line says how this step ended. */
  readonly decides: boolean;
  /** Which pipeline of the line it belongs to: `0`, `1` …, and `1.0` for one inside a command of the second. */
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
  const words = pipelines.flatMap(({ commands }) => commands.map((command) => command.words.join(" ")));
  const stopsAtOnce = words.some((text) => /^set (?:\S+ )*(?:-\w*e|-o errexit)/.test(text));
  const keepsFailure = words.some((text) => /^set .*\bpipefail\b|PIPESTATUS/.test(text));
  const decide = whichDecide(pipelines, { stopsAtOnce });
  return pipelines.flatMap(({ commands }, index) => {
    const ends = (place: number): boolean => keepsFailure || place === commands.length - 1;
    return commands.flatMap((command, place) => {
      const decides = decide[index] === true && command.words[0] !== "!" && ends(place);
      return toSteps(command, { decides, pipeline: String(index), depth });
    });
  });
}

/** Tells of each pipeline whether its failure is the failure of the line: what follows it runs only after a success. */
function whichDecide(
  pipelines: readonly Pipeline[],
  options: { readonly stopsAtOnce: boolean },
): readonly boolean[] {
  const decide: boolean[] = [];
  for (const [index, { joint }] of [...pipelines.entries()].reverse()) {
    const next = pipelines[index + 1]?.commands[0]?.words ?? [];
    const goesOn = joint === "&&" || (options.stopsAtOnce && joint !== "||");
    if (joint === "&") decide[index] = false;
    else if (next.length === 0) decide[index] = true;
    else decide[index] = goesOn ? decide[index + 1] === true : passesOn(joint, next);
  }
  return decide;
}

/** Tells whether the next command ends the line with the same outcome, as in `make || exit 1`. */
function passesOn(joint: string, [program, code = "$?"]: readonly string[]): boolean {
  return program === "exit" && (joint === "||" ? code !== "0" : /^\$[?{P]/.test(code));
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
  { words: /^timeout$/, takes: /^(?:-|[\d.]+[smhd]?$)/ },
  { words: /^(?:uv|poetry|pipenv|pdm|hatch|rye) run$/, takes: /^-/ },
  { words: /^(?:npm|pnpm|yarn|bun) (?:exec|dlx|x)$/, takes: /^-/ },
  { words: /^bundle exec$/, takes: /^-/ },
];
/** Options whose value stands in the next word. */
const withValue = /^(?:-[nku]|-p|--package|--signal|--adjustment)$/;

function toSteps(
  command: Command,
  place: { readonly decides: boolean; readonly pipeline: string; readonly depth: number },
): readonly Step[] {
  const words = withoutCarriers(command.words);
  const program = (words[0] ?? "").replace(/^.*[\\/](?=.)/, "");
  const inner = innerLine(program, words);
  if (inner === undefined || place.depth >= mostNested) {
    const { decides, pipeline } = place;
    return program === ""
      ? []
      : [{ words: [program, ...words.slice(1)], decides, pipeline, writes: command.writes }];
  }
  return stepsOf(inner, place.depth + 1).map((step) => ({
    ...step,
    decides: step.decides && place.decides,
    pipeline: `${place.pipeline}.${step.pipeline}`,
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
