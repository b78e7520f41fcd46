import { AppError } from "../lib/app-error.ts";

/** Why a model did not answer. `code` says which of them it is: docs/errors.md. */
export class ModelError extends AppError {}
