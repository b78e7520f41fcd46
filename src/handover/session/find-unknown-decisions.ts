import { withoutMark } from "../../lib/markdown/byte-order-mark.ts";
import type { DecisionNumbers } from "../decisions/decision-numbers.ts";
import { decisionReferences } from "../decisions/decision-references.ts";
import { lineText } from "../markdown/outline.ts";
import type { Problem } from "../problem.ts";
import type { SessionPart } from "../session-doc.ts";
import { locateParts } from "./locate-parts.ts";

const referring: readonly SessionPart[] = ["continuing", "added", "exceptions"];

/** Reports the decisions that a session.md refers to and that decisions.md does not have. */
export function findUnknownDecisions(text: string, known: DecisionNumbers): readonly Problem[] {
  const { outline, parts } = locateParts(withoutMark(text));
  return referring.flatMap((part) => {
    const { from, to } = parts.get(part)?.content ?? { from: 0, to: 0 };
    return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index).flatMap((line) =>
      decisionReferences(lineText(outline, line))
        .filter((seq) => !known.has(seq))
        .map(
          (seq): Problem => ({
            code: "unknown-decision",
            line: line + 1,
            message: `there is no decision D${seq}`,
          }),
        ),
    );
  });
}
