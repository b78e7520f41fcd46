import { RE2JS } from "re2js";
import { ToolRefused } from "../tool.ts";

/** What is found in a line. */
export interface LinePattern {
  /** Tells whether a line has it, in time that grows with the line alone. */
  isIn(line: string): boolean;
  /** Returns where in a line it is first. */
  find(line: string): number;
}

/** How long a pattern may be, and the program that it becomes: what a line costs grows with both. */
const [longestPattern, largestProgram] = [1000, 2000];

/** Compiles a regular expression that somebody else has written. RE2 never goes back, whatever it says. */
export function compilePattern(pattern: string): LinePattern {
  const compiled = compile(pattern);
  return {
    isIn: (line) => compiled.test(line),
    find: (line) => {
      const matcher = compiled.matcher(line);
      return matcher.find() ? matcher.start() : 0;
    },
  };
}

function compile(pattern: string): RE2JS {
  if (pattern.length > longestPattern)
    throw new ToolRefused(`A pattern may have ${longestPattern} characters, and this has ${pattern.length}.`);
  const compiled = compileRe2(pattern);
  if (compiled.programSize() > largestProgram)
    throw new ToolRefused("The pattern repeats too much. Search for less, and look at what is found.");
  return compiled;
}

function compileRe2(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolRefused(
      `The pattern is no regular expression of RE2, which has no lookahead and no backreferences: ${reason}. To find characters such as ( or [ as they are, put \\ before each.`,
      error,
    );
  }
}
