import { readValue } from "./assigned-value.ts";
import { type Joint, joints } from "./joints.ts";
import type { Finding, ReaderRule } from "./rule.ts";
import { readSecretName } from "./secret-name.ts";
import { nameSuffix, secretWords } from "./secret-words.ts";

const suffix = new RegExp(nameSuffix, "iy");
const compiled = joints.map((joint) => ({ ...joint, pattern: new RegExp(joint.source, "iy") }));
/** The joints that can begin with a character, in their order. */
const byFirst = Map.groupBy(
  compiled.flatMap((joint) => [...joint.first].map((first) => ({ first, joint }))),
  (each) => each.first,
);
const longestName = 64;
const lookedBefore = 40;
const none: readonly Finding[] = [];

/** Values whose name says that they are secret: in source code, settings, environment files, URLs, commands and talk. */
export const assignmentRule: ReaderRule = {
  keywords: secretWords,
  read: (view, keyword) => {
    const { text } = view;
    const nameEnd = endOfMatch(suffix, text, keyword.end) ?? keyword.end;
    const tried = byFirst.get(text[nameEnd] ?? "");
    if (tried === undefined) return none;
    const start = findNameStart(text, keyword.start);
    const name = readSecretName(text.slice(start, keyword.end));
    if (name === undefined) return none;
    const written = text.slice(Math.max(0, start - 1), keyword.end);
    for (const { joint } of tried) {
      if (!fits(joint, written, text, start)) continue;
      const at = endOfMatch(joint.pattern, text, nameEnd);
      const found = at === undefined ? none : readValue(view, at, name, joint.form);
      if (found.length > 0) return found;
    }
    return none;
  },
};

function fits(joint: Joint, written: string, text: string, start: number): boolean {
  if (joint.name?.test(written) === false) return false;
  return joint.before === undefined || joint.before.test(sliceBefore(text, start));
}

/** Returns what stands before a place; the beginning of the text counts as that of a line. */
function sliceBefore(text: string, start: number): string {
  return start < lookedBefore ? `\n${text.slice(0, start)}` : text.slice(start - lookedBefore, start);
}

function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function findNameStart(text: string, from: number): number {
  let start = from;
  while (start > 0 && from - start < longestName && isNameCharacter(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isNameCharacter(code: number): boolean {
  const letter = code | 0x20;
  return (
    (letter >= 0x61 && letter <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x5f ||
    code === 0x2d ||
    code === 0x2e
  );
}
