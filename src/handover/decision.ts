import { AppError } from "../lib/app-error.ts";
import { fold } from "../lib/markdown/fold.ts";

/** The kinds of decisions that are written; others that are found in a file are kept. */
export const decisionTypes = [
  "USER_DECISION",
  "STEERING_UPDATE",
  "DIRECTION_CHANGE",
  "ESCALATION_RESOLVED",
  "STEERING_EXCEPTION",
  "REVISION_INITIATED",
  "SESSION_START",
  "SESSION_END",
] as const;

export type DecisionType = (typeof decisionTypes)[number];

/** What a decision says, beside its number, its time and its type. A field that is missing is "". */
export interface DecisionText {
  readonly summary: string;
  readonly context: string;
  readonly decision: string;
  readonly reason: string;
  readonly impact: string;
  readonly source: string;
  readonly steeringRef: string;
}

/** One numbered entry of decisions.md. */
export interface Decision extends DecisionText {
  readonly seq: number;
  /** The time as it is written: ISO 8601 with an offset, if its writer kept to the format. */
  readonly at: string;
  readonly type: string;
}

/** A decision that has no number and no time yet. */
export interface NewDecision extends Partial<DecisionText> {
  readonly type: DecisionType;
  readonly summary: string;
}

/** The fields of an entry in their order. */
export const decisionFields = [
  { field: "context", label: "Context" },
  { field: "decision", label: "Decision" },
  { field: "reason", label: "Reason" },
  { field: "impact", label: "Impact" },
  { field: "source", label: "Source" },
  { field: "steeringRef", label: "Steering-ref" },
] as const satisfies readonly { field: keyof DecisionText; label: string }[];

/** A decision lacks what its type calls for. */
export class MissingField extends AppError {
  readonly field: keyof DecisionText;

  constructor(type: DecisionType, field: keyof DecisionText, label: string) {
    super(`A ${type} needs the field ${label}.`, {
      kind: "usage",
      code: "missing-field",
      hint: field === "summary" ? "Say it in a few words." : `Say it with \`--${label.toLowerCase()}\`.`,
    });
    this.field = field;
  }
}

/** Tells whether a type may leave out why something was decided and what follows from it. */
function isLightweight(type: DecisionType): boolean {
  return type === "SESSION_START" || type === "SESSION_END";
}

/**
 * Returns the text of a new decision, each field on one line. Throws when one is missing that the type calls for.
 *
 * `none` is an answer: who decided has thought of it.
 */
export function toDecisionText(draft: NewDecision): DecisionText {
  const value = (field: keyof DecisionText): string => fold(draft[field] ?? "");
  const summary = value("summary");
  if (summary === "") throw new MissingField(draft.type, "summary", "Summary");
  const fields = decisionFields.map(({ field, label }) => {
    const text = value(field);
    if (text === "" && isRequired(draft.type, field)) throw new MissingField(draft.type, field, label);
    return [field, text];
  });
  return { summary, ...(Object.fromEntries(fields) as unknown as Omit<DecisionText, "summary">) };
}

function isRequired(type: DecisionType, field: keyof DecisionText): boolean {
  if (field === "steeringRef") return type === "STEERING_EXCEPTION";
  if (field === "reason" || field === "impact") return !isLightweight(type);
  return true;
}

/** Returns the lines of an entry, without the end of the last one. */
export function renderDecision(entry: Decision): string {
  const fields = decisionFields.flatMap(({ field, label }) =>
    entry[field] === "" ? [] : [`- ${label}: ${entry[field]}`],
  );
  return [`[${entry.at}] D${entry.seq}: ${entry.type} | ${entry.summary}`, ...fields].join("\n");
}

/** Returns a time as ISO 8601 with an offset: that of this machine, unless told how many minutes it is ahead of UTC. */
export function renderTime(at: Date, ahead: number = -at.getTimezoneOffset()): string {
  const local = new Date(at.getTime() + ahead * 60_000).toISOString().slice(0, 19);
  const minutes = Math.abs(ahead);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${local}${ahead < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
