import { AppError } from "../lib/app-error.ts";
import { isKnownTrusted, type TrustQuestion } from "./config/known-trust.ts";

/** Whether the user trusts a project. */
export interface TrustAnswer {
  readonly trusted: boolean;
  /** Why that could not be found out; it is not trusted then. */
  readonly doubt?: AppError;
}

/** Finds out whether the user trusts a project. Who cannot be asked trusts nobody, and stops nobody. */
export async function findTrust(ask: () => Promise<boolean>): Promise<TrustAnswer> {
  try {
    return { trusted: await ask() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { trusted: false, doubt: error };
  }
}

/** Finds out the same where the store cannot be asked: by what hooks remember of it, so that both say the same. */
export async function recallTrust(
  question: Omit<TrustQuestion, "ask">,
  doubt: AppError,
): Promise<TrustAnswer> {
  const { trusted } = await findTrust(() =>
    isKnownTrusted({ ...question, ask: () => Promise.reject(doubt) }),
  );
  return trusted ? { trusted } : { trusted, doubt };
}
