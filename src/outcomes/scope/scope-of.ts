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

interface Arguments {
  readonly targets: string[];
  readonly names: string[];
  place: string | undefined;
}

function readArguments(words: readonly string[], tool: Tool): Arguments {
  const found: Arguments = { targets: [], names: [], place: undefined };
  const rest = [...words];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [option, value] = splitOption(word);
    if (!option.startsWith("-")) takeTarget(found, option);
    else takeOption(found, tool, option, value ?? (isValued(tool, option) ? rest.shift() : undefined));
  }
  return found;
}

function takeTarget({ targets }: Arguments, word: string): void {
  if (word !== "" && !wholeProject.test(word)) targets.push(word);
}

function takeOption(found: Arguments, tool: Tool, option: string, value: string | undefined): void {
  if (value === undefined || value === "") return;
  if (isAmong(tool.narrowing, option)) {
    if (!isWhole(value)) found.names.push(`${option} ${value}`);
  } else if (isAmong(placeOptions, option)) found.place = value;
}

function isValued({ narrowing, valued }: Tool, option: string): boolean {
  return [narrowing, valued, placeOptions, valuedOptions].some((options) => isAmong(options, option));
}

const isAmong = (options: string | undefined, option: string): boolean =>
  ` ${options} `.includes(` ${option} `);

const isWhole = (value: string): boolean =>
  wholeProject.test(value) || /^(?:\.\/)?tsconfig\.json$/.test(value);

function splitOption(word: string): readonly [string, string?] {
  const at = word.startsWith("-") ? word.indexOf("=") : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

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
