import { compilePattern, type PatternEngine } from "../config/compile-pattern.ts";
import { compileNeededText, compileSimplePattern } from "../config/simple-pattern.ts";
import type { Gate } from "../gate.ts";

/** Returns the patterns of gates that are found in one of some texts. What looks for them is loaded only where it is needed. */
export async function findPatterns(
  gates: readonly Gate[],
  texts: readonly string[],
): Promise<ReadonlySet<string>> {
  const patterns = new Set(gates.flatMap(({ triggers }) => triggers.flatMap(({ pattern }) => pattern ?? [])));
  const engine = [...patterns].some((pattern) => needsEngine(pattern, texts))
    ? await loadEngine()
    : undefined;
  const load = () => {
    if (engine === undefined)
      throw new Error("A pattern that needs an engine was taken for one that does not.");
    return engine;
  };
  const isFound = (pattern: string) => {
    const { finds } = compilePattern(pattern, load);
    return texts.some((text) => finds(text));
  };
  return new Set([...patterns].filter(isFound));
}

function needsEngine(pattern: string, texts: readonly string[]): boolean {
  if (compileSimplePattern(pattern) !== undefined) return false;
  return texts.some(compileNeededText(pattern));
}

function loadEngine(): Promise<PatternEngine> {
  return import("../config/re2-pattern.ts");
}
