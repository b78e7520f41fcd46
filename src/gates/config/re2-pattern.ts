import { RE2JS } from "re2js";

/** Returns what finds a pattern in a text, whatever the case of its letters, in time that grows with the text alone. Throws what RE2 says against it. */
export function compileRe2Pattern(pattern: string): (text: string) => boolean {
  const compiled = RE2JS.compile(toRe2(pattern), RE2JS.CASE_INSENSITIVE);
  return (text) => compiled.matcher(text).find();
}

/** Where `$` stands for the end of a line, as the pattern itself says. */
const linewise = /\(\?[a-z]*m/;

const piece =
  /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[\s\S])|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\$|\{,(?=\d+\})/g;

/** Rewrites what Python writes in another way than RE2; the rest is the same in both, or RE2 refuses it. */
function toRe2(pattern: string): string {
  const end = linewise.test(pattern) ? "$" : "(?:\\n?\\z)";
  return pattern.replace(piece, (found: string, short?: string, long?: string) => {
    if (short !== undefined || long !== undefined) return `\\x{${short ?? long}}`;
    if (found === "\\Z") return "\\z";
    if (found === "$") return end;
    return found === "{," ? "{0," : found;
  });
}
