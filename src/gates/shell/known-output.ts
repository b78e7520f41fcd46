import type { SyntaxNode } from "unbash";
import { type Argument, exactly, isExact, joinWords, type KnownText, wild } from "./argument.ts";
import { expandWord } from "./expand-word.ts";
import { stdinOf } from "./redirections.ts";
import type { Shell } from "./shell.ts";

/** Returns what a command prints where the line itself says it, as in `echo "rm f" | sh`. */
export function knownOutput(node: SyntaxNode, shell: Shell): KnownText {
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
