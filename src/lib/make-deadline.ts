import { type Context, createContext, Script } from "node:vm";

/** Runs work that does not wait for anything, and stops it when it takes too long. */
export type Deadline = <Result>(work: () => Result) => Result;

/**
 * Makes a deadline, which counts anew for each piece of work; one inside another counts with it.
 *
 * Nothing in JavaScript can end a regular expression that runs for ever but the engine itself, which does it for
 * scripts with a time limit. Each use starts a thread that watches, so that many short pieces are better done together.
 */
export function makeDeadline(ms: number, tooSlow: () => Error): Deadline {
  let context: Context | undefined;
  let isRunning = false;
  const script = new Script("work()");
  return <Result>(work: () => Result): Result => {
    if (isRunning) return work();
    context ??= createContext({});
    context.work = work;
    isRunning = true;
    try {
      return script.runInContext(context, { timeout: ms }) as Result;
    } catch (error) {
      throw isTimeout(error) ? tooSlow() : error;
    } finally {
      isRunning = false;
      context.work = undefined;
    }
  };
}

/** It comes from the other context, and so is no `Error` of ours. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"
  );
}
