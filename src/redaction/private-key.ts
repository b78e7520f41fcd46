import type { Range } from "../lib/marker.ts";
import type { Finding, ReaderRule, TextView } from "./rule.ts";

const header = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
const dashes = "-----";
const footer = /-{5,6}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/y;
/** What the body of a key can be made of when its end is missing: base64 and line ends, plain or escaped. */
const notBody = /[^A-Za-z0-9+/=\s\\]/g;
const base64Run = /[A-Za-z0-9+/]{16}/;

/** Private keys in text form, also when escaped line ends, the marks of a diff or quotes stand between their lines. */
export const privateKeyRule: ReaderRule = {
  keywords: ["-----begin "],
  read: ({ text }, keyword) => {
    header.lastIndex = keyword.start;
    if (!header.test(text)) return [];
    const bodyStart = header.lastIndex;
    const bodyEnd = findDashes(text, bodyStart);
    footer.lastIndex = bodyEnd;
    const end = footer.test(text) ? footer.lastIndex : endOfOpenBody(text, bodyStart, bodyEnd);
    if (!base64Run.test(text.slice(bodyStart, end))) return [];
    return [{ kind: "private-key", start: keyword.start, end }];
  },
};

/** Returns where the next row of five dashes begins, or the end of the text. */
function findDashes(text: string, from: number): number {
  const found = text.indexOf(dashes, from);
  return found === -1 ? text.length : found;
}

/** Returns where a key ends of which only the beginning is there. */
function endOfOpenBody(text: string, start: number, limit: number): number {
  notBody.lastIndex = start;
  const found = notBody.exec(text);
  return found === null ? limit : Math.min(found.index, limit);
}

const puttyLines = /Private-Lines: ?[0-9]{1,4}(?:\r?\n|\\r?\\n|\\n)/y;
const puttyBody = /[A-Za-z0-9+/=\s\\]{40,16384}/y;

/** The private lines of a PuTTY key file. */
export const puttyKeyRule: ReaderRule = {
  keywords: ["private-lines:"],
  read: ({ text }: TextView, keyword: Range): readonly Finding[] => {
    puttyLines.lastIndex = keyword.start;
    if (!puttyLines.test(text)) return [];
    const start = puttyLines.lastIndex;
    puttyBody.lastIndex = start;
    if (!puttyBody.test(text)) return [];
    return [{ kind: "private-key", start, end: puttyBody.lastIndex }];
  },
};
