import type { JsoncChild, JsoncNode } from "./parse-jsonc.ts";

const commentsOfLine = /(?:[ \t]*\/\*[^\r\n]*?\*\/)*([ \t]*\/\/[^\r\n]*)?/y;

/**
 * Adds a child at the end of an object or array; every other byte stays as it is.
 *
 * `removeChild` takes it back, byte for byte. `rendered` is the child as it would stand at the beginning of a line,
 * indented with tabs; `unit` is put in the place of each.
 */
export function appendChild(text: string, list: JsoncNode, rendered: string, unit: string): string {
  const newline = readNewline(text);
  const outer = indentationAt(text, list.start);
  const child = `${newline}${rendered.replaceAll("\n", newline).replaceAll("\t", unit)}`.replaceAll(
    newline,
    `${newline}${outer}${unit}`,
  );
  const last = list.children.at(-1);
  if (last === undefined) {
    const at = list.start + 1;
    return `${text.slice(0, at)}${child}${newline}${outer}${text.slice(at)}`;
  }
  if (last.comma !== undefined) {
    const at = afterComments(text, last.comma + 1);
    return `${text.slice(0, at)}${child},${text.slice(at)}`;
  }
  const at = afterComments(text, last.node.end);
  return `${text.slice(0, last.node.end)},${text.slice(last.node.end, at)}${child}${text.slice(at)}`;
}

/** Removes a child of an object or array with the comma that parts it from the others; comments of others stay. */
export function removeChild(text: string, list: JsoncNode, index: number): string {
  const child = list.children[index];
  if (child === undefined) return text;
  const before = list.children[index - 1];
  const begin = before === undefined ? list.start + 1 : afterComments(text, (before.comma ?? 0) + 1);
  // What somebody wrote above it is not ours to take.
  const from = /\S/.test(text.slice(begin, child.start)) ? child.start : begin;
  const rest = text.slice(child.node.end);
  if (child.comma !== undefined) {
    const behind = text.slice(child.node.end, child.comma) + text.slice(child.comma + 1);
    return text.slice(0, from) + separate(text, before, from, behind);
  }
  if (before?.comma !== undefined) {
    const kept = text.slice(0, before.comma) + text.slice(before.comma + 1, from);
    return kept + separate(text, before, from, rest);
  }
  const closing = `${readNewline(text)}${indentationAt(text, list.start)}`;
  const isOurs = from === begin && rest.startsWith(closing);
  return text.slice(0, from) + (isOurs ? rest.slice(closing.length) : rest);
}

/** Returns what follows a cut, on a new line if a comment before the cut would swallow it. */
function separate(text: string, before: JsoncChild | undefined, from: number, rest: string): string {
  if (before?.comma === undefined || /^[ \t]*\r?\n/.test(rest)) return rest;
  commentsOfLine.lastIndex = before.comma + 1;
  const [comments = "", untilEndOfLine] = commentsOfLine.exec(text) ?? [];
  const isSwallowed = untilEndOfLine !== undefined && before.comma + 1 + comments.length === from;
  return isSwallowed ? readNewline(text) + rest : rest;
}

/** Returns where the comments end that stand on the same line behind something; right there if there are none. */
function afterComments(text: string, at: number): number {
  commentsOfLine.lastIndex = at;
  return at + (commentsOfLine.exec(text)?.[0].length ?? 0);
}

/** Returns what a text indents by: the blanks before its first indented line, or two. */
export function readIndent(text: string): string {
  return /\n([ \t]+)["/]/.exec(text)?.[1] ?? "  ";
}

function readNewline(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

function indentationAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}
