import { AppError } from "../lib/app-error.ts";

/** Makes the error of arguments that do not fit each other. */
export function badArguments(message: string): AppError {
  return new AppError(message, {
    kind: "usage",
    code: "bad-arguments",
    hint: "See what the tool says of its arguments.",
  });
}
