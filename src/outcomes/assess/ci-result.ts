import { parseIfJson } from "../../lib/json.ts";
import type { Finding } from "./find-rule.ts";

/** Conclusions of a run that need attention; a cancelled or skipped one does not. */
const bad = new Set(["failure", "timed_out", "startup_failure", "action_required"]);

const mostOfLine = 2000;

type Fields = Readonly<Record<string, unknown>>;

/** Finds a failed run or a refused review in the output of `gh run` or `gh pr`, as a list or as JSON. */
export function findInCi(output: string): Finding | undefined {
  const text = output.trim();
  const [status = "", conclusion = "", title = ""] =
    text.slice(0, mostOfLine).split("\n", 1)[0]?.split("\t") ?? [];
  if (status === "completed" && bad.has(conclusion)) return toFinding(conclusion, title);
  return /^[[{]/.test(text) ? findInJson(parseIfJson(text)) : undefined;
}

function findInJson(value: unknown): Finding | undefined {
  const runs = (Array.isArray(value) ? value : [value]).filter(isFields);
  const decision = runs[0]?.reviewDecision;
  if (decision === "CHANGES_REQUESTED") {
    const rule = { tool: "gh pr", goal: "review" } as const;
    return { rule, line: `reviewDecision: ${decision}` };
  }
  const failed = newestRuns(runs).find(({ conclusion }) => bad.has(textOf(conclusion)));
  if (failed === undefined) return undefined;
  const name = textOf(failed.workflowName) || textOf(failed.name) || textOf(failed.displayTitle);
  return toFinding(textOf(failed.conclusion), name);
}

function toFinding(conclusion: string, name: string): Finding {
  const rule = { tool: "gh run", goal: "ci" } as const;
  return { rule, line: name === "" ? `conclusion: ${conclusion}` : `${name}, conclusion: ${conclusion}` };
}

/** The newest run comes first; those of the same commit count with it, older ones do not. */
function newestRuns(runs: readonly Fields[]): readonly Fields[] {
  const [first] = runs;
  if (first === undefined) return [];
  const ofCommit = runs.filter(({ headSha }) => headSha !== undefined && headSha === first.headSha);
  return ofCommit.length > 0 ? ofCommit : [first];
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null;
