import { type Decision, decisionFields } from "../../handover/decisions/decision.ts";
import { toPrintable } from "../../lib/printable.ts";
import type { Style } from "../style.ts";

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

/** Renders a decision for people: its head in one line, and what it says below. */
export function renderDecision(decision: Decision, style: Style): string {
  const { seq, at, type, summary } = decision;
  const head = `${style.bold(`D${seq}`)}  ${toPrintable(summary)}`;
  const said = decisionFields
    .filter(({ field }) => decision[field] !== "")
    .map(({ field, label }) => `  ${style.dim(`${label}:`)} ${toPrintable(decision[field])}`);
  return `${[head, `  ${style.dim(toPrintable(`${type}  ${at}`))}`, ...said].join("\n")}\n`;
}
