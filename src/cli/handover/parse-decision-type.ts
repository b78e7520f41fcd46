import { type DecisionType, decisionTypes } from "../../handover/decision.ts";
import { usageError } from "../../lib/app-error.ts";
import { suggest } from "../../lib/suggest.ts";

/** Reads the type of a decision, in whatever case and with dashes or underscores. */
export function parseDecisionType(text: string): DecisionType {
  const name = text.toUpperCase().replaceAll("-", "_");
  const known = decisionTypes.find((each) => each === name);
  if (known !== undefined) return known;
  const near = suggest(name, decisionTypes);
  throw usageError("unknown-decision-type", `${JSON.stringify(text.slice(0, 80))} is no type of decision.`, {
    hint: near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `There are: ${decisionTypes.join(", ")}.`,
  });
}
