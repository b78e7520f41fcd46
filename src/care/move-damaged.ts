import { AppError } from "../lib/app-error.ts";
import type { StoreReport } from "../storage/store-report.ts";
import type { StoreFile } from "../storage/store-site.ts";

/** Renames a store that cannot be read, and returns its new path. */
export async function moveDamaged(
  file: StoreFile,
  { exists, sessions }: StoreReport,
  now: Date,
): Promise<string> {
  if (!exists || sessions !== null) {
    throw new AppError("The store can be read, so it was left where it is.", {
      kind: "usage",
      code: "store-healthy",
      hint: "To begin a new one all the same, set CARRYON_HOME to another folder.",
    });
  }
  return file.moveAside(now);
}
