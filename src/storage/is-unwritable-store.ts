import { AppError } from "../lib/app-error.ts";

const codes: ReadonlySet<string> = new Set(["store-read-only", "store-full", "store-busy", "store-refused"]);

/** Tells whether a write failed because the store cannot be written now; reading may still work. */
export function isUnwritableStore(error: unknown): boolean {
  return error instanceof AppError && codes.has(error.code);
}
