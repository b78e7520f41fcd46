import { type Command, forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash";
import { equals } from "./argument.ts";
import { expandWord } from "./expand-word.ts";
import { isTangled } from "./is-tangled.ts";
import { judgeCarryon } from "./judge-carryon.ts";
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

/**
 * Tells whether a command line runs `carryon`, `npx carryon` or the launcher of this path, and nothing else, to read or to
 * satisfy gates.
 *
 * A redirection to a file, a variable that is set or a substitution makes it false.
 */
export function isCarryonCommand(command: string, launcher?: string): boolean {
  if (isTangled(command)) return false;
  try {
    return isCalls(parse(command), launcher);
  } catch {
    // The parser's stack may end on a text that no one means as a command.
    return false;
  }
}

function isCalls(script: ParsedScript, launcher: string | undefined): boolean {
  const shell = newShell();
  const waiting: SyntaxNode[] = [script];
  let calls = 0;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!isHarmless(node, shell)) return false;
    if (node.type === "Command" && !isCall(node, shell, launcher)) return false;
    if (node.type === "Command") calls += 1;
    forEachChild(node, (child) => waiting.push(child));
  }
  return calls > 0 && (script.errors ?? []).length === 0;
}

function isHarmless(node: SyntaxNode, shell: Shell): boolean {
  if (!plain.has(node.type) || !spend(shell, node.end - node.pos)) return false;
  const redirects = node.type === "Command" || node.type === "Redirected" ? node.redirects : [];
  return judgeRedirections(redirects, shell).verdict === "reads";
}

function isCall({ name, args }: Command, shell: Shell, launcher = "carryon"): boolean {
  const words = [...(name === undefined ? [] : [name]), ...args].flatMap((word) =>
    word.type === "Word" ? expandWord(word, shell) : [],
  );
  const [program, ...rest] = words.slice(equals(words[0], "npx") ? 1 : 0);
  return (equals(program, "carryon") || equals(program, launcher)) && judgeCarryon(rest).verdict === "reads";
}
