/**
 * Does one thing after another: what is typed while something runs waits.
 *
 * When a person stops what runs, what waits is given back to them: they stopped it to say something else.
 */
export class TurnQueue {
  readonly #perform: (text: string, signal: AbortSignal) => Promise<void>;
  readonly #onChange: () => void;
  readonly #waiting: string[] = [];
  #running: { readonly controller: AbortController; readonly since: number } | undefined;
  #done: Promise<void> = Promise.resolve();

  constructor(perform: (text: string, signal: AbortSignal) => Promise<void>, onChange: () => void) {
    this.#perform = perform;
    this.#onChange = onChange;
  }

  get waiting(): readonly string[] {
    return this.#waiting;
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** How long what runs has been running. */
  get seconds(): number {
    return this.#running === undefined ? 0 : Math.floor((performance.now() - this.#running.since) / 1000);
  }

  add(text: string): void {
    this.#waiting.push(text);
    if (this.#running === undefined) this.#done = this.#work();
    this.#onChange();
  }

  /** Stops what runs and returns what was waiting. */
  stop(): readonly string[] {
    const waiting = this.#waiting.splice(0);
    this.#running?.controller.abort();
    this.#onChange();
    return waiting;
  }

  /** Resolves when nothing runs any more. */
  settled(): Promise<void> {
    return this.#done;
  }

  async #work(): Promise<void> {
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift()) {
      const controller = new AbortController();
      this.#running = { controller, since: performance.now() };
      this.#onChange();
      try {
        await this.#perform(text, controller.signal);
      } finally {
        this.#running = undefined;
      }
    }
    this.#onChange();
  }
}
