import type { HandoverPlace } from "../../workspace/choose-handover-place.ts";
import { digestOf } from "./digest.ts";
import type { FoundDecision } from "./parse-decisions.ts";
import { readDecisionsUntil } from "./read-last-decisions.ts";

/**
 * Returns those of some logged decisions that decisions.md does not have: git may have brought them. Without a place none
 * of them counts as written there.
 *
 * Reads the document from its end, no further than to the last of them.
 */
export async function withoutWritten<Logged extends Pick<FoundDecision, "seq"> & { readonly digest: string }>(
  place: HandoverPlace | undefined,
  logged: readonly Logged[],
): Promise<readonly Logged[]> {
  if (place === undefined || logged.length === 0) return logged;
  const numbers = new Set(logged.map(({ seq }) => seq));
  const missingIn = (decisions: readonly FoundDecision[]) => {
    const same = decisions.filter(({ seq }) => numbers.has(seq));
    const found = new Set(same.map(({ raw }) => digestOf(raw)));
    return logged.filter(({ digest }) => !found.has(digest));
  };
  return missingIn(await readDecisionsUntil(place, (decisions) => missingIn(decisions).length === 0));
}
