import { AppError } from "../lib/app-error.ts";
import { moveAside, type StoreReport } from "../storage/maintenance.ts";
import type { CommandContext } from "./command-context.ts";
import { askConsent } from "./consent.ts";
import { homeOf } from "./open-here.ts";
import { plural } from "./plural.ts";

/** Renames a store that has problems, and returns its new path; one that can still be read only with consent. */
export async function moveDamaged(
  context: CommandContext,
  { exists, problems, sessions }: StoreReport,
  yes: boolean,
): Promise<string | undefined> {
  if (!exists || problems.length === 0) {
    throw new AppError("The store has no problem, so it was left where it is.", {
      kind: "usage",
      code: "store-healthy",
      hint: "To begin a new one all the same, set CARRYON_HOME to another folder.",
    });
  }
  const consents = await askConsent(context, {
    yes: yes || sessions === null,
    question: `The store can be read (${plural(sessions ?? 0, "session")}). Move it aside all the same?`,
    otherwise: "Nothing was moved.",
  });
  return consents ? moveAside(homeOf(context), context.clock.now()) : undefined;
}
