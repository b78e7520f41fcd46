import { AppError } from "../lib/app-error.ts";
import { moveAside } from "../storage/maintenance.ts";
import type { StoreReport } from "../storage/store-report.ts";
import type { CommandContext } from "./command-context.ts";
import { homeOf } from "./open-here.ts";

/** Renames a store that cannot be read, and returns its new path. */
export async function moveDamaged(
  context: CommandContext,
  { exists, sessions }: StoreReport,
): Promise<string> {
  if (!exists || sessions !== null) {
    throw new AppError("The store can be read, so it was left where it is.", {
      kind: "usage",
      code: "store-healthy",
      hint: "To begin a new one all the same, set CARRYON_HOME to another folder.",
    });
  }
  return moveAside(homeOf(context), context.clock.now());
}
