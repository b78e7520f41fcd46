import { RE2JS } from "re2js";
import { ToolRefused } from "../tool.ts";

/** Tells whether a path, with slashes, is one that a glob names. */
export type PathFilter = (path: string) => boolean;

/** Longer ones are no names of files. */
const longestGlob = 500;

/**
 * Compiles a glob: `*` and `?` stay within a name, `**` goes through folders, `{a,b}` is either, `[a-z]` one of, and `!` before
 * it all else. One without a slash is compared with the name of a file; any other with its path, from the work folder or from
 * the folder that is searched: either may be meant.
 */
export function compileGlob(glob: string, searched = ""): PathFilter {
  const isOpposite = glob.startsWith("!");
  const wanted = glob.slice(isOpposite ? 1 : 0).replace(/^(?:\.?\/)+/, "");
  const isName = !wanted.includes("/");
  const pattern = compile(glob, toPattern(wanted));
  const above = searched === "" ? 0 : searched.length + 1;
  return (path) => {
    const compared = isName ? [path.slice(path.lastIndexOf("/") + 1)] : [path, path.slice(above)];
    return compared.some((each) => pattern.testExact(each)) !== isOpposite;
  };
}

function compile(glob: string, pattern: string): RE2JS {
  if (glob.length > longestGlob) throw new ToolRefused(`A glob may have ${longestGlob} characters.`);
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch (error) {
    throw new ToolRefused(`${glob} is no glob. It is something like *.ts, src/**/*.ts or *.{ts,tsx}.`, error);
  }
}

const piece = /\*\*\/|\*+|\?|\[!?\]?[^\]]*\]|\{|\}|,|\\[\s\S]|[^*?[{},\\]+|[\s\S]/g;

function toPattern(glob: string): string {
  let depth = 0;
  const pieces = (glob.match(piece) ?? []).map((found) => {
    if (found === "{") depth += 1;
    if (found === "}") depth -= 1;
    if (found === ",") return depth > 0 ? "|" : ",";
    return toRe2(found);
  });
  return pieces.join("");
}

function toRe2(found: string): string {
  switch (found) {
    case "**/":
      return "(?:.*/)?";
    case "**":
      return ".*";
    case "?":
      return "[^/]";
    case "{":
      return "(?:";
    case "}":
      return ")";
    default:
      return toRe2Text(found);
  }
}

function toRe2Text(found: string): string {
  if (found.startsWith("*")) return "[^/]*";
  if (found.startsWith("[") && found.endsWith("]")) return found.replace(/^\[!/, "[^");
  return RE2JS.quote(found.startsWith("\\") ? found.slice(1) : found);
}
