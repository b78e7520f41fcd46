import { stepText, stepWords } from "../assess/step-text.ts";
import { placeOptions, type Tool, tools, valuedOptions, wholeProject } from "./tools.ts";

/** Which code a step checks, and with what. Plain data: it is kept with a check's result. */
export interface Scope {
  readonly tool: string;
  readonly ecosystem?: string;
  readonly isRunner?: true;
  /** Set for a check that the user approved: it covers everything of its goal. */
  readonly isApproved?: true;
  readonly implies?: Tool["implies"];
  /** The suite, where it is not the usual one: `integration`. */
  readonly variant?: string;
  /** Files, folders and packages that are named; none for all. */
  readonly targets: readonly string[];
  /** Patterns that choose among the cases; none for all. */
  readonly names: readonly string[];
  /** The folder that it is about; undefined where that is not known. */
  readonly place?: string;
}

/** What a step was typed as, and where. */
interface PlacedStep {
  readonly words: readonly string[];
  readonly folder: string | undefined;
}

const [mostTargets, longestTarget] = [20, 200];

/** How a name begins that is of what a step leaves out. */
export const without = "not: ";

/** Returns which code a step checks. */
export function scopeOf({ words, folder }: PlacedStep, cwd?: string): Scope {
  const text = stepText(words);
  const tool = tools.find(({ starts }) => starts.test(text)) ?? unknownTool(words);
  const [start = "", named = ""] = tool.starts.exec(text) ?? [];
  const parts = readArguments(stepWords(words).slice(start.trim().split(" ").length), tool);
  const task = tool.isRunner ? named || takeTask(parts.targets) : undefined;
  const variant = tool.variant ?? (task ? variantOf(task) : tagOf(parts.names));
  const place = placeOf(parts.place, folder, cwd, tool);
  const { ecosystem, isRunner, implies } = tool;
  return {
    tool: tool.name.replace("$1", named),
    ...(ecosystem && { ecosystem }),
    ...(isRunner && { isRunner }),
    ...(implies && { implies }),
    ...(variant && { variant }),
    targets: bounded(parts.targets),
    names: bounded(parts.names),
    ...(place && { place }),
  };
}

/** Of a program that is in no table, only the program itself says whether its code is in order. */
function unknownTool([name = ""]: readonly string[]): Tool {
  return { starts: /^\S*/, name, ecosystem: name };
}

const bounded = (words: readonly string[]): readonly string[] =>
  words.slice(0, mostTargets).map((word) => word.slice(0, longestTarget));

/** `make test` names a task, `make main.o` a part of the code. */
function takeTask(targets: string[]): string | undefined {
  const at = targets.findIndex((target) => taskName.test(target));
  return at < 0 ? undefined : targets.splice(at, 1)[0];
}

const taskName = /^(?:tests?|check|spec|lint|fmt|format|vet|typecheck|build|compile)(?:[:_-][\w:-]+)?$/;

/** Returns what the arguments of a step name: code, patterns that choose among the cases, and a folder. */
function readArguments(words: readonly string[], tool: Tool) {
  const given = pairArguments([...words], tool).filter(({ value }) => value !== "");
  const isNarrowing = (option: string) => isAmong(tool.narrowing, option);
  const excluded = given.filter(({ option }) => isAmong(tool.excluding, option));
  return {
    targets: given.flatMap(({ option, value }) =>
      option === "" && !wholeProject.test(value) ? [value] : [],
    ),
    names: [
      ...given.flatMap(({ option, value }) =>
        isNarrowing(option) && !isWhole(value) ? [`${option} ${value}`] : [],
      ),
      ...excluded.map(({ value }) => `${without}${value}`),
    ],
    place: given.findLast(({ option }) => isAmong(placeOptions, option) && !isNarrowing(option))?.value,
  };
}

/** Returns arguments with their options; "" before those that stand alone, and as the value of an option that has none. */
function pairArguments(rest: string[], tool: Tool) {
  const pairs: { readonly option: string; readonly value: string }[] = [];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, option = "", assigned] = /^(-[^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const value = assigned ?? (isValued(tool, option) ? rest.shift() : "");
    pairs.push({ option, value: option === "" ? word : (value ?? "") });
  }
  return pairs;
}

function isValued({ narrowing, excluding, valued }: Tool, option: string): boolean {
  return [narrowing, excluding, valued, placeOptions, valuedOptions].some((options) =>
    isAmong(options, option),
  );
}

const isAmong = (options: string | undefined, option: string): boolean =>
  option !== "" && ` ${options} `.includes(` ${option} `);

const isWhole = (value: string): boolean =>
  wholeProject.test(value) || /^(?:\.\/)?tsconfig\.json$/.test(value);

/** `test:integration` and `test-e2e` are suites beside `test`. */
function variantOf(task: string): string {
  if (/^(?:fmt|format)\b/.test(task)) return "format";
  return /[:_-](?<suite>[\w:-]+)$/.exec(task)?.groups?.suite ?? "";
}

/** `go test -tags=integration` runs what no other run builds, and `tsc -p web` builds another project. */
function tagOf(names: readonly string[]): string | undefined {
  const tag = names.find((name) => /^-{1,2}(?:tags|p|project|b|build) /.test(name));
  return tag?.replace(/^-{1,2}tags /, "").replace(/^-{1,2}\w+ /, "project ");
}

/** Folders that hold what a build made: they stand for the code beside them. */
const buildFolder =
  /^(?:\.\/)?(?:build|_build|out|target|bin|obj|dist|cmake-build-\w+|builddir|debug|release)(?:[-/]\S*)?$/i;

function placeOf(
  named: string | undefined,
  folder: string | undefined,
  cwd: string | undefined,
  { ecosystem, name }: Tool,
): string | undefined {
  // A runner of tasks finds the project from any folder inside.
  if (name === "task") return undefined;
  const isBuild = (path: string | undefined) =>
    path === undefined ||
    ((ecosystem === "c" || name === "make") && buildFolder.test(path.split("/").at(-1) ?? ""));
  const parts = [cwd, ...(isBuild(folder) ? [] : [folder]), ...(isBuild(named) ? [] : [named])];
  const path = parts.reduce<string | undefined>((at, next) => {
    if (next === undefined || next === "." || /[$~-]/.test(next.charAt(0))) return at;
    return at === undefined || next.startsWith("/") ? next : `${at}/${next}`;
  }, undefined);
  return path?.replace(/\/+$/, "").replaceAll("/./", "/");
}
