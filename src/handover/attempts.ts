import { AppError } from "../lib/app-error.ts";

/** The value that was read, or that it could not be. */
interface Attempt<Value> {
  readonly value: Value | undefined;
  readonly isUnreadable: boolean;
}

/** Reads one thing after another: one that cannot be read becomes a problem and hides no other. */
export class Attempts {
  readonly problems: string[] = [];

  async read<Value>(read: () => Promise<Value>): Promise<Attempt<Value>> {
    try {
      return { value: await read(), isUnreadable: false };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.problems.push(error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
      return { value: undefined, isUnreadable: true };
    }
  }
}
