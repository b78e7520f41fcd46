import { AppError } from "../lib/app-error.ts";

/** Says to a model why a call is not done, and what it may do instead. It becomes the outcome of the call. */
export class ToolRefused extends AppError {
  constructor(message: string, cause?: unknown) {
    super(message, { kind: "usage", code: "tool-refused", cause });
  }
}
