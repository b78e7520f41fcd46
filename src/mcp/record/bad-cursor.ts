import { AppError } from "../../lib/app-error.ts";

/** Makes the error of a cursor that no answer ended with. */
export function badCursor(text: string): AppError {
  return new AppError(`${JSON.stringify(text.slice(0, 80))} is no cursor.`, {
    kind: "usage",
    code: "bad-cursor",
    hint: "Give the one that the answer before ended with, or none to begin anew.",
  });
}
