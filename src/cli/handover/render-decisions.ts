import { type Decision, decisionFields } from "../../handover/decision.ts";
import { toPrintable, toPrintableLine } from "../../lib/printable.ts";
import type { Style } from "../../lib/style.ts";

/** Returns a decision as `--json` gives it. */
export function toDecisionJson({ steeringRef, seq, at, type, summary, ...fields }: Decision): object {
  const { context, decision, reason, impact, source } = fields;
  const said = { summary, context, decision, reason, impact, source, steering_ref: steeringRef };
  return {
    seq,
    at,
    type,
    ...Object.fromEntries(Object.entries(said).map(([key, text]) => [key, text || null])),
  };
}

/** Returns what `carryon decisions --json` prints: those of other machines stand apart, because numbers may be there twice. */
export function toDecisionsJson(
  decisions: readonly Decision[],
  elsewhere: readonly (Decision & { readonly machine: string })[],
): object {
  return {
    decisions: decisions.map(toDecisionJson),
    elsewhere: elsewhere.map((each) => ({ machine: each.machine, ...toDecisionJson(each) })),
  };
}

/** Renders a decision for people: its head in one line, and what it says below; one of another machine with its name. */
export function renderDecision(decision: Decision, style: Style, machine?: string): string {
  const { seq, at, type, summary } = decision;
  const head = `${style.bold(`D${seq}`)}  ${toPrintable(summary)}`;
  const said = decisionFields
    .filter(({ field }) => decision[field] !== "")
    .map(({ field, label }) => `  ${style.dim(`${label}:`)} ${toPrintable(decision[field])}`);
  const where = machine === undefined ? "" : `  on ${toPrintableLine(machine)}`;
  return `${[head, `  ${style.dim(`${toPrintable(`${type}  ${at}`)}${where}`)}`, ...said].join("\n")}\n`;
}
