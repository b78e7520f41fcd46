import { forEachChild, type If, type ParsedScript, parse, type SyntaxNode } from "unbash";
import { isTangled } from "../../lib/is-tangled.ts";
import { type Argument, exactly, isExact, joinWords, type KnownText, tame, wild } from "./argument.ts";
import { type Classification, nothing, unknown, worst } from "./classification.ts";
import { expandWord, judgeRedirections, stdinOf } from "./expand-word.ts";
import { judgeExpansions } from "./judge-expansions.ts";
import { judgeSimple } from "./judge-simple.ts";
import { forget, forgetAll, fork, judgeName, mayDefine, type Shell, spend, takeOver } from "./shell.ts";

/** Judges the text of a script in a shell. */
export function walkText(text: string, shell: Shell): Classification {
  if (isTangled(text) || !spend(shell, text.length)) return unknown("It is too long to follow.");
  return walkParsed(parse(text), shell);
}

function walkParsed(script: ParsedScript, shell: Shell): Classification {
  const found = walkAll(script.commands, shell);
  return script.errors === undefined || script.errors.length === 0
    ? found
    : worst(found, unknown("It is no complete shell command."));
}

function walkAll(nodes: readonly SyntaxNode[], shell: Shell): Classification {
  return nodes.reduce((found, node) => worst(found, walk(node, shell)), nothing);
}

/** Judges a part that may or may not run. */
function walkBranch(nodes: readonly SyntaxNode[], shell: Shell): Classification {
  const branch = fork(shell);
  const found = walkAll(nodes, branch);
  takeOver(shell, branch);
  return found;
}

const walkApart = (node: SyntaxNode, shell: Shell, stdin: KnownText = shell.stdin): Classification =>
  walk(node, fork(shell, { stdin }));

const expansions = (nodes: readonly SyntaxNode[], shell: Shell): Classification =>
  judgeExpansions(nodes, shell, walkParsed);

function walk(node: SyntaxNode, shell: Shell): Classification {
  if (!spend(shell, 1)) return unknown("It is too long to follow.");
  switch (node.type) {
    case "Statement":
      if (node.background !== true) return walk(node.command, shell);
      shell.background.isUsed = true;
      return walkApart(node.command, shell);
    case "AndOr": {
      const [first, ...others] = node.commands;
      return others.reduce(
        (found, each) => worst(found, walkBranch([each], shell)),
        first === undefined ? nothing : walk(first, shell),
      );
    }
    case "Command":
      return judgeSimple(node, shell, { walkText, walkNode: walk, expansions });
    case "Redirected": {
      const found = worst(expansions(node.redirects, shell), judgeRedirections(node.redirects, shell));
      // Variables are shared with the shell outside: only what is read differs.
      return worst(found, walk(node.command, { ...shell, stdin: stdinOf(node.redirects, shell) }));
    }
    case "Function": {
      shell.functions.set(node.name.value, { bodies: [node.body], isCertain: true });
      // It runs in place of any program that is not there.
      return /^command_not_found_handler?$/.test(node.name.value) ? walkApart(node.body, shell) : nothing;
    }
    default:
      return walkCompound(node, shell);
  }
}

function walkCompound(node: SyntaxNode, shell: Shell): Classification {
  switch (node.type) {
    case "CompoundList":
      return walkAll(node.commands, shell);
    case "BraceGroup":
      return walk(node.body, shell);
    case "Coproc":
      shell.background.isUsed = true;
      return walkApart(node.body, shell);
    case "Subshell":
      return walkApart(node.body, shell);
    case "Pipeline":
      return walkPipeline(node.commands, shell);
    case "If":
      return walkIf(node, shell);
    case "Elif":
      return worst(walk(node.clause, shell), walkBranch([node.then], shell));
    case "Case":
      return worst(
        expansions([node.word], shell),
        ...node.items.map((item) =>
          worst(expansions(item.pattern, shell), walkBranch(item.body.commands, shell)),
        ),
      );
    case "For":
    case "Select":
    case "While":
    case "ArithmeticFor":
      return walkLoop(node, shell);
    default:
      return expansions([node], shell);
  }
}

function walkPipeline(commands: readonly SyntaxNode[], shell: Shell): Classification {
  const [only, ...others] = commands;
  if (only !== undefined && others.length === 0) return walk(only, shell);
  let stdin = shell.stdin;
  let found = nothing;
  for (const command of commands) {
    found = worst(found, walkApart(command, shell, stdin));
    stdin = knownOutput(command, { ...shell, stdin });
  }
  return found;
}

function walkIf(node: If, shell: Shell): Classification {
  const { clause, then, elif, else: otherwise } = node;
  return worst(
    walk(clause, shell),
    walkBranch([then], shell),
    ...elif.map((each) => walkBranch([each], shell)),
    otherwise === undefined ? nothing : walkBranch([otherwise], shell),
  );
}

function walkLoop(
  node: Extract<SyntaxNode, { type: "For" | "Select" | "While" | "ArithmeticFor" }>,
  shell: Shell,
): Classification {
  forgetSet(node, shell);
  if (node.type === "While") return worst(walk(node.clause, shell), walkBranch([node.body], shell));
  if (node.type === "ArithmeticFor") {
    const { initialize, test, update } = node;
    const parts = [initialize, test, update].filter((each) => each !== undefined);
    return worst(expansions(parts, shell), walkBranch([node.body], shell));
  }
  const list = node.wordlist ?? [];
  const found = worst(expansions(list, shell), judgeName(node.name.value));
  const values = list.flatMap((word) => expandWord(word, shell));
  const isTame =
    node.wordlist !== undefined &&
    values.every(({ text, rest }) => /^(?:nothing|tame)$/.test(rest) && /^(?:[^-\s]\S*)?$/.test(text));
  const [only] = values;
  const value = isTame ? tame : wild;
  shell.variables.set(node.name.value, values.length === 1 && only !== undefined ? only : value);
  return worst(found, walkBranch([node.body], shell));
}

/** Builtins that set variables in ways that are not followed before a loop has run. */
const setters =
  /^(?:read|readarray|mapfile|printf|eval|source|\.|declare|typeset|local|export|readonly|let|getopts|unset)$/;

/** Forgets the variables that a loop sets, and foresees its functions: what stands first in it may run after what stands last. */
function forgetSet(loop: SyntaxNode, shell: Shell): void {
  const waiting: SyntaxNode[] = [loop];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (
      !spend(shell, node.end - node.pos) ||
      (node.type === "Command" && setters.test(node.name?.value ?? ""))
    ) {
      forgetAll(shell);
      return;
    }
    if (node.type === "Assignment") forget(shell, node.name);
    if (node.type === "Function") mayDefine(shell, node.name.value, [node.body]);
    if (node.type === "Word") continue;
    forEachChild(node, (child) => waiting.push(child));
  }
}

/** Returns what a command prints where the line itself says it, as in `echo "rm f" | sh`. */
function knownOutput(node: SyntaxNode, shell: Shell): KnownText {
  if (node.type !== "Command" || node.name === undefined || shell.functions.size > 0) return wild;
  const words = [node.name, ...node.args].flatMap((word) =>
    word.type === "Word" ? expandWord(word, shell) : [wild],
  );
  const [program, ...args] = words;
  if (program === undefined || !words.every(isExact)) return wild;
  if (program.text === "echo") return echoed(args);
  if (program.text === "printf") return printed(args);
  return program.text === "cat" && args.length === 0 ? stdinOf(node.redirects, shell) : wild;
}

function echoed(args: readonly Argument[]): KnownText {
  const line = joinWords(args);
  return /^-[neE]|\\/.test(line.text) ? wild : exactly(`${line.text}\n`);
}

function printed([format, ...values]: readonly Argument[]): KnownText {
  if (format === undefined) return wild;
  if (/^%s(?:\\n)?$/.test(format.text)) return exactly(values.map(({ text }) => `${text}\n`).join(""));
  const text = format.text.replaceAll("\\n", "\n");
  return /[%\\]/.test(text) ? wild : exactly(text);
}
