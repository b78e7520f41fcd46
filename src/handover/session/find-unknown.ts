import type { DecisionNumbers } from "../decisions/decision-numbers.ts";
import type { RecordSite } from "../document-record.ts";
import { readElsewhere, readLogged } from "../logged-decisions.ts";
import type { Problem } from "../problem.ts";
import { findUnknownDecisions } from "./find-unknown-decisions.ts";

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
