import { type Command, forEachChild, parse, type SyntaxNode } from "unbash";
import type { Argument } from "./argument.ts";
import { expandWord } from "./expand-word.ts";
import { isTangled } from "./is-tangled.ts";
import { judgeRedirections } from "./redirections.ts";
import { newShell, type Shell, spend } from "./shell.ts";

/** What such a line may be made of: nothing here defines, sets or substitutes anything. */
const plain: ReadonlySet<SyntaxNode["type"]> = new Set<SyntaxNode["type"]>([
  "Script",
  "Statement",
  "AndOr",
  "Pipeline",
  "Negation",
  "Time",
  "Subshell",
  "BraceGroup",
  "CompoundList",
  "Redirected",
  "Command",
  "Word",
  "Literal",
  "SingleQuoted",
  "DoubleQuoted",
  "AnsiCQuoted",
  "SimpleExpansion",
  "Glob",
  "BraceExpansion",
  "Redirect",
  "FileDescriptor",
  "HereString",
  "HereDoc",
  "HereDocDelimiter",
  "HereDocBody",
]);

/** A simple command of a line: its words, and its text. */
export interface PlainCommand {
  readonly words: readonly Argument[];
  readonly text: string;
}

/**
 * Returns the simple commands that a plain line runs; undefined for a line that is not plain: a redirection to a file, a
 * variable that is set or a substitution makes it so. Never throws.
 */
export function listPlainCommands(line: string): readonly PlainCommand[] | undefined {
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
