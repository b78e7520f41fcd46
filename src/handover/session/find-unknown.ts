import { withoutMark } from "../../lib/markdown/byte-order-mark.ts";
import type { DecisionNumbers } from "../decisions/decision-numbers.ts";
import { decisionReferences } from "../decisions/decision-references.ts";
import type { RecordSite } from "../document-record.ts";
import { readElsewhere, readLogged } from "../logged-decisions.ts";
import { lineText } from "../markdown/outline.ts";
import type { Problem } from "../problem.ts";
import type { SessionPart } from "../session-doc.ts";
import { locateParts } from "./locate-parts.ts";

/**
 * Returns the references in a text to decisions that there are not: neither in the decisions.md beside it nor, as this
 * user's log has them, in another work tree or clone, or on another machine.
 */
export async function findUnknown(
  site: RecordSite | undefined,
  text: string,
  known: DecisionNumbers,
): Promise<readonly Problem[]> {
  const unknown = findUnknownDecisions(text, known);
  if (unknown.length === 0 || site === undefined) return unknown;
  const others = (await readLogged(site)).filter(({ root }) => root !== site.root);
  const elsewhere = new Set([...others, ...(await readElsewhere(site))].map(({ seq }) => seq));
  return findUnknownDecisions(text, { has: (seq) => known.has(seq) || elsewhere.has(seq) });
}

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
