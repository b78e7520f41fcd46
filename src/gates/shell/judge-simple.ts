import type { Assignment, Command, CommandArgument, SyntaxNode } from "unbash";
import { type Argument, equals, exactly, isExact, join, type KnownText, wild } from "./argument.ts";
import { type Classification, nothing, quote, reads, unknown, worst } from "./classification.ts";
import { expandWord, judgeRedirections, knownTextOf, stdinOf } from "./expand-word.ts";
import { hidden } from "./judge-expansions.ts";
import { type Entry, indexPrograms, isHelp, judgeCall } from "./program.ts";
import { builtinRules } from "./rules/builtin-rules.ts";
import { fileRules } from "./rules/file-rules.ts";
import { findRules } from "./rules/find-rules.ts";
import { gitRules } from "./rules/git-rules.ts";
import { interpreterRules } from "./rules/interpreter-rules.ts";
import { networkRules } from "./rules/network-rules.ts";
import { nodePackageRules } from "./rules/node-package-rules.ts";
import { packageRules } from "./rules/package-rules.ts";
import { runnerRules } from "./rules/runner-rules.ts";
import { serviceRules } from "./rules/service-rules.ts";
import { streamRules } from "./rules/stream-rules.ts";
import { systemRules, textRules } from "./rules/system-rules.ts";
import { toolRules } from "./rules/tool-rules.ts";
import {
  childShell,
  fork,
  isTooDeep,
  judgeExported,
  judgeName,
  judgeVariable,
  noteProgram,
  type Shell,
  takeOver,
  variableOf,
} from "./shell.ts";

/** How a command is followed into what it runs. */
export interface Steps {
  readonly walkText: (text: string, shell: Shell) => Classification;
  readonly walkNode: (node: SyntaxNode, shell: Shell) => Classification;
  readonly expansions: (nodes: readonly SyntaxNode[], shell: Shell) => Classification;
}

/** Judges one simple command: its substitutions, redirections, variables and the program. */
export function judgeSimple(command: Command, shell: Shell, steps: Steps): Classification {
  const { name, prefix, suffix, redirects } = command;
  const parts: SyntaxNode[] = name === undefined ? [...prefix, ...suffix] : [...prefix, name, ...suffix];
  const found = worst(steps.expansions(parts, shell), judgeRedirections(redirects, shell));
  // `IFS= read` is how lines are read as they are: there it says nothing about other words.
  const isRead = name?.value === "read";
  const set = prefix
    .filter((each) => each.type === "Assignment")
    .filter((each) => !isRead || each.name !== "IFS");
  const words = [...(name === undefined ? [] : [name]), ...command.args].flatMap((word) =>
    toArguments(word, shell),
  );
  if (words.length === 0) return worst(found, assign(set, shell, steps, judgeVariable));
  const inner = fork(shell, { stdin: stdinOf(redirects, shell) });
  const variables = assign(set, inner, steps, judgeExported);
  const before = new Map(inner.variables);
  const judged = judgeWords(words, command, inner, steps);
  for (const each of set)
    if (inner.variables.get(each.name) === before.get(each.name))
      inner.variables.set(each.name, variableOf(shell, each.name));
  replace(shell, inner);
  return worst(found, variables, judged);
}

/** Takes over what a command has changed that runs in this shell. */
function replace(shell: Shell, inner: Shell): void {
  for (const [name, value] of inner.variables) shell.variables.set(name, value);
  for (const [name, value] of inner.functions) shell.functions.set(name, value);
  for (const [name, value] of inner.aliases) shell.aliases.set(name, value);
  for (const name of [...shell.functions.keys()])
    if (!inner.functions.has(name)) shell.functions.delete(name);
}

function toArguments(word: CommandArgument, shell: Shell): readonly Argument[] {
  return word.type === "Word"
    ? expandWord(word, shell)
    : [join(exactly(`${word.name}=`), valueIn(word, shell))];
}

function valueIn({ name, value, append, index }: Assignment, shell: Shell): KnownText {
  if (value.type === "ArrayValue" || index !== undefined) return wild;
  const known = knownTextOf(value, shell);
  return append === true ? join(variableOf(shell, name), known) : known;
}

function assign(
  assignments: readonly Assignment[],
  shell: Shell,
  steps: Steps,
  judge: typeof judgeVariable,
): Classification {
  return assignments.reduce((found, each) => {
    const value = valueIn(each, shell);
    shell.variables.set(each.name, value);
    const computed = value.text.includes("[") && hidden.test(value.text);
    return worst(
      found,
      // Where a number is computed from it, what stands in the brackets runs.
      computed ? unknown(`What ${quote(each.name)} holds may run as a command.`) : nothing,
      // In zsh this array is the PATH.
      each.name === "path" && each.value.type === "ArrayValue" ? judgeName("PATH") : nothing,
      judge(each.name, value, (text) => script(text, shell, steps)),
    );
  }, nothing);
}

const late = (what: string): Classification => unknown(`${what} is decided only when it runs.`);

function script(text: KnownText, shell: Shell, steps: Steps): Classification {
  if (isTooDeep(shell)) return unknown("It is too long to follow.");
  return walkKnown(text, childShell(shell), steps);
}

/** Judges a text of which only the beginning may be known: a letter stands for what follows. */
function walkKnown(text: KnownText, shell: Shell, steps: Steps): Classification {
  if (isExact(text)) return steps.walkText(text.text, shell);
  const found = steps.walkText(`${text.text}x`, shell);
  return found.verdict === "writes" ? found : late("What the inner command does");
}

/** Judges words that the shell itself looks up: functions and aliases first. */
function judgeWords(
  words: readonly Argument[],
  command: Command,
  shell: Shell,
  steps: Steps,
): Classification {
  const [program] = words;
  if (program === undefined || !isExact(program)) return judgeProgram(words, shell, steps);
  const parts: Classification[] = [];
  const alias = shell.aliases.get(program.text);
  if (alias !== undefined) parts.push(judgeAlias(alias, program.text, command, shell, steps));
  const defined = shell.functions.get(program.text);
  for (const body of defined?.bodies ?? []) parts.push(judgeFunction(body, shell, steps));
  // An alias counts only where aliases are switched on, so that the program counts too.
  if (defined?.isCertain !== true) parts.push(judgeProgram(words, shell, steps));
  return worst(...parts);
}

function judgeAlias(
  alias: string,
  name: string,
  command: Command,
  shell: Shell,
  steps: Steps,
): Classification {
  if (isTooDeep(shell)) return unknown("It is too long to follow.");
  const inner = fork(shell, { depth: shell.depth + 1 });
  inner.aliases.delete(name);
  return steps.walkText([alias, ...command.args.map(({ text }) => text)].join(" "), inner);
}

function judgeFunction(body: SyntaxNode, shell: Shell, steps: Steps): Classification {
  if (isTooDeep(shell)) return unknown("It is too long to follow.");
  const inner = fork(shell, { depth: shell.depth + 1 });
  const found = steps.walkNode(body, inner);
  takeOver(shell, inner);
  return found;
}

/** Judges words of which the first is a program or a builtin. */
function judgeProgram(words: readonly Argument[], shell: Shell, steps: Steps): Classification {
  const [program, ...args] = words;
  if (program === undefined) return nothing;
  if (!isExact(program)) return late("Which program runs");
  if (isTooDeep(shell)) return unknown("It is too long to follow.");
  const name = bareName(program.text);
  noteProgram(shell, name ?? program.text, args);
  const entry = name === undefined ? undefined : findEntry(name);
  if (name !== undefined && (isHelp(args) || isVersion(name, args)))
    return reads(`${quote(`${name} ${args[0]?.text}`)} only reads.`);
  if (name === undefined || entry === undefined)
    return unknown(`What ${quote(program.text)} does is not known here.`);
  const inner: Shell = { ...shell, depth: shell.depth + 1 };
  return judgeCall(entry, {
    name,
    args,
    stdin: shell.stdin,
    shell,
    runs: (others) => judgeProgram(others, inner, steps),
    script: (text) => script(text, shell, steps),
    evals: (text) => walkKnown(text, inner, steps),
  });
}

/** Others take this for several letters, of which each may mean something. */
const isVersion = (name: string, args: readonly Argument[]): boolean =>
  args.length === 1 &&
  equals(args[0], "-version") &&
  /^(?:javac?|kotlinc?|scala|ant|mvn|ff\w+|clang)$/.test(name);

const folders =
  /^(?:\/(?:usr\/(?:local\/)?)?s?bin|\/opt\/homebrew\/bin|(?:.*\/)?node_modules\/\.bin)\/([^/]+)$/;

/** Returns the name of an installed program, or `undefined` for a file somewhere else. */
function bareName(program: string): string | undefined {
  return program.includes("/") ? folders.exec(program)?.[1] : program;
}

const table: ReadonlyMap<string, Entry> = indexPrograms({
  ...textRules,
  ...streamRules,
  ...systemRules,
  ...fileRules,
  ...networkRules,
  ...findRules,
  ...interpreterRules,
  ...packageRules,
  ...nodePackageRules,
  ...toolRules,
  ...serviceRules,
  ...gitRules,
  ...runnerRules,
  ...builtinRules,
});

/** Returns how a program or builtin is judged, by its bare name. */
const findEntry = (name: string): Entry | undefined => table.get(name);
