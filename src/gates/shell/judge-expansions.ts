import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { type Classification, nothing, quote, unknown, worst } from "./classification.ts";
import { forget, forgetAll, fork, judgeName, type Shell, spend, variableOf } from "./shell.ts";

/** Text that a shell would run if it stood where a number or the place in an array is computed. */
export const hidden = /\$\(|`/;

/**
 * Judges what the expansions inside words run: substitutions, and what computes a number.
 *
 * Variables that they set are forgotten.
 */
export function judgeExpansions(
  nodes: readonly SyntaxNode[],
  shell: Shell,
  walk: (script: ParsedScript, shell: Shell) => Classification,
): Classification {
  const waiting: SyntaxNode[] = [...nodes].reverse();
  let found = nothing;
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!spend(shell, node.end - node.pos)) return worst(found, unknown("It is too long to follow."));
    if (node.type === "Script") {
      found = worst(found, walk(node, fork(shell)));
      continue;
    }
    found = worst(found, judgeNode(node, shell));
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => children.push(child));
    for (const child of children.reverse()) waiting.push(child);
  }
  return found;
}

function judgeNode(node: SyntaxNode, shell: Shell): Classification {
  const assigned = assignedIn(node);
  for (const name of assigned) forget(shell, name);
  // `${ …; }` runs in this shell.
  if (node.type === "CommandExpansion" && node.text.startsWith("${")) forgetAll(shell);
  return worst(...assigned.map((name) => judgeName(name.replace(/\[.*$/s, ""))), judgeComputed(node, shell));
}

function judgeComputed(node: SyntaxNode, shell: Shell): Classification {
  if (node.type === "Transform" && node.operand.text === "P")
    return unknown(`${quote("@P")} runs what a text holds.`);
  if (node.type === "ArithmeticWord" && hidden.test(variableOf(shell, node.value).text))
    return unknown(`What ${quote(node.value)} computes may run a command.`);
  const words =
    node.type === "TestBinary" ? [node.left, node.right] : node.type === "TestUnary" ? [node.operand] : [];
  return words.some(({ value }) => value.includes("[") && hidden.test(value))
    ? unknown("What `[[` computes may run a command.")
    : nothing;
}

const assigns = /^(?:[-+*/%&|^]|<<|>>)?=$/;

/** Returns the variables that an expansion sets. */
function assignedIn(node: SyntaxNode): readonly string[] {
  if (node.type === "ParameterExpansion")
    return node.operation?.operator.endsWith("=") === true ? [node.parameter] : [];
  const target = node.type === "ArithmeticBinary" && assigns.test(node.operator) ? node.left : undefined;
  const counted =
    node.type === "ArithmeticUnary" && /^(?:\+\+|--)$/.test(node.operator) ? node.operand : undefined;
  return [target, counted].flatMap((each) => (each?.type === "ArithmeticWord" ? [each.value] : []));
}
