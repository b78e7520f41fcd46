import { setImmediate } from "node:timers/promises";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { Call } from "./call.ts";
import type { Host } from "./host.ts";
import { reportFailure } from "./report-failure.ts";
import type { Answerer } from "./tool.ts";

/** The calls that are under way. Those that change something are made one after the other, in the order in which they came. */
export class Workload {
  readonly #host: Host;
  readonly #signal: AbortSignal;
  readonly #running = new Set<Promise<unknown>>();
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(host: Host, signal: AbortSignal) {
    this.#host = host;
    this.#signal = signal;
  }

  /** Runs what a tool does; whatever goes wrong in it is its answer. */
  readonly answer: Answerer = (signal, { readOnlyHint }, work) => {
    const call = new Call(this.#host, AbortSignal.any([signal, this.#signal]));
    const run = async (): Promise<CallToolResult> => {
      try {
        call.signal.throwIfAborted();
        return await work(call);
      } catch (error) {
        return reportFailure(error, call.remarks);
      }
    };
    const running = readOnlyHint === true ? run() : this.#lastChange.then(run);
    if (readOnlyHint !== true) this.#lastChange = running;
    return this.follow(running);
  };

  /** Counts something as under way until it has ended. */
  follow<Result>(running: Promise<Result>): Promise<Result> {
    const ended = running.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(ended);
    void ended.finally(() => this.#running.delete(ended));
    return running;
  }

  /** Resolves when nothing is under way any more, and the answers have been given to the client. */
  async ended(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.all(this.#running);
      // The server gives an answer away in the steps that follow its end.
      await setImmediate();
    }
  }
}
