import { usageError } from "../../lib/app-error.ts";
import { suggest } from "../../lib/suggest.ts";
import { type BlockerType, blockerTypes } from "../../work/blocker.ts";

/** Reads a type of blocker, in whatever case and with dashes or underscores. */
export function parseBlockerType(text: string): BlockerType {
  const name = text.toLowerCase().replaceAll("-", "_");
  const type = blockerTypes.find((each) => each === name);
  if (type !== undefined) return type;
  const [near] = suggest(name, blockerTypes);
  const shown =
    text === "" ? "A blocker needs a type." : `${JSON.stringify(text.slice(0, 40))} is no type of blocker.`;
  throw usageError("bad-blocker", shown, {
    hint:
      near === undefined || text === "" ? `There are: ${blockerTypes.join(", ")}.` : `Did you mean ${near}?`,
  });
}
