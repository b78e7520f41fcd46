import { type Command, forEachChild, parse, type SyntaxNode } from "unbash";
import { isTangled } from "../../lib/is-tangled.ts";
import { classifyCommand } from "../classify-command.ts";
import { type Argument, equals, isExact } from "./argument.ts";
import { expandWord, judgeRedirections } from "./expand-word.ts";
import { judgeCarryon } from "./judge-carryon.ts";
import { listWords, type OptionShape, parseOptions } from "./options.ts";
import { newShell, type Shell, spend } from "./shell.ts";

/** What such a line may be made of: nothing here defines, sets or substitutes anything. */
const plain: ReadonlySet<string> = new Set(
  `Script Statement AndOr Pipeline Negation Time Subshell BraceGroup CompoundList Redirected Command Word Literal
   SingleQuoted DoubleQuoted AnsiCQuoted SimpleExpansion Glob BraceExpansion Redirect FileDescriptor HereString HereDoc
   HereDocDelimiter HereDocBody`.split(/\s+/),
);

/** A simple command of a line: its words, and its text. */
interface PlainCommand {
  readonly words: readonly Argument[];
  readonly text: string;
}

/**
 * Returns the simple commands that a plain line runs; undefined for a line that is not plain: a redirection to a file, a
 * variable that is set or a substitution makes it so. Never throws.
 */
function listPlainCommands(line: string): readonly PlainCommand[] | undefined {
  if (isTangled(line)) return undefined;
  try {
    return list(line);
  } catch {
    // The parser's stack may end on a text that no one means as a command.
    return undefined;
  }
}

function list(line: string): readonly PlainCommand[] | undefined {
  const script = parse(line);
  if ((script.errors ?? []).length > 0) return undefined;
  const shell = newShell();
  const waiting: SyntaxNode[] = [script];
  const commands: PlainCommand[] = [];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isHarmless(node, shell)) return undefined;
    if (node.type === "Command")
      commands.push({ words: wordsOf(node, shell), text: line.slice(node.pos, node.end) });
    forEachChild(node, (child) => waiting.push(child));
  }
  return commands;
}

function isHarmless(node: SyntaxNode, shell: Shell): boolean {
  if (!plain.has(node.type) || !spend(shell, node.end - node.pos)) return false;
  const redirects = node.type === "Command" || node.type === "Redirected" ? node.redirects : [];
  return judgeRedirections(redirects, shell).verdict === "reads";
}

function wordsOf({ name, args }: Command, shell: Shell): readonly Argument[] {
  return [...(name === undefined ? [] : [name]), ...args].flatMap((word) =>
    word.type === "Word" ? expandWord(word, shell) : [],
  );
}

/**
 * Tells whether a command line runs `carryon`, `npx carryon` or the launcher of this path, and nothing else, to read or to
 * satisfy gates.
 *
 * A redirection to a file, a variable that is set or a substitution makes it false.
 */
export function isCarryonCommand(command: string, launcher?: string): boolean {
  const commands = listPlainCommands(command) ?? [];
  return commands.length > 0 && commands.every(({ words }) => isCall(words, launcher));
}

function isCall(words: readonly Argument[], launcher = "carryon"): boolean {
  const [program, ...rest] = words.slice(equals(words[0], "npx") ? 1 : 0);
  return (equals(program, "carryon") || equals(program, launcher)) && judgeCarryon(rest).verdict === "reads";
}

/** What may be given to a subcommand of git without it doing anything else than to make a branch or to go to one. */
interface Leaving extends OptionShape {
  /** The options that may be given. */
  readonly allowed: string;
  /** The option that has to be there. */
  readonly needs?: string;
  /** How many words may follow that are no options, at least and at most. */
  readonly operands: readonly [least: number, most: number];
}

const common = "-q --quiet -t --track --no-track";

const leaving: ReadonlyMap<string, Leaving> = new Map<string, Leaving>([
  [
    "switch",
    {
      allowed: `${common} -c --create --guess --no-guess --progress --no-progress`,
      operands: [1, 3],
    },
  ],
  // Without `-b`, what follows may be a file, whose changes it would take back.
  ["checkout", { allowed: `${common} -b`, needs: "-b", operands: [1, 3] }],
  ["branch", { allowed: common, operands: [1, 2] }],
]);

/**
 * Tells whether a command line does nothing but leave the branch that is checked out for another one, make one to go to, or
 * put the work aside for that; what only reads may stand beside it.
 */
export function leavesBranch(command: string): boolean {
  if (!/\bgit\b/.test(command)) return false;
  const commands = listPlainCommands(command) ?? [];
  const kinds = commands.map(({ words, text }) =>
    isLeaving(words) ? "leaves" : classifyCommand(text).verdict,
  );
  return kinds.includes("leaves") && kinds.every((kind) => kind === "leaves" || kind === "reads");
}

function isLeaving(words: readonly Argument[]): boolean {
  const [program, ...args] = words;
  if (!equals(program, "git")) return false;
  const own = parseOptions(args, { values: "-C", endsAtOperand: true });
  if (own.isLoose || own.options.some(({ name }) => name !== "-C")) return false;
  const [subcommand, ...rest] = own.operands;
  if (subcommand === undefined || !rest.every(isExact)) return false;
  if (equals(subcommand, "stash")) return isPutAside(rest);
  const known = isExact(subcommand) ? leaving.get(subcommand.text) : undefined;
  return known !== undefined && isOnly(known, rest);
}

/** Tells whether `git stash` puts all the work aside. */
function isPutAside(words: readonly Argument[]): boolean {
  const rest = equals(words[0], "push") ? words.slice(1) : words;
  const allowed = "-q --quiet -u --include-untracked -m --message";
  return isOnly({ allowed, values: "-m --message", operands: [0, 0] }, rest);
}

function isOnly({ allowed, needs, operands: [least, most], ...shape }: Leaving, words: readonly Argument[]) {
  const { options, operands, doubtful, isLoose } = parseOptions(words, shape);
  const names = options.map(({ name }) => name);
  return (
    !isLoose &&
    doubtful.length === 0 &&
    names.every((name) => listWords(allowed).includes(name)) &&
    (needs === undefined || names.includes(needs)) &&
    operands.length >= least &&
    operands.length <= most
  );
}
