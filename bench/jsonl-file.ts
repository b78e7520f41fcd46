import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import type { NewEntry } from "../src/sessions/entry.ts";

/** A peer: one JSON line per message, appended and synced. */
export class JsonlFile implements Disposable {
  readonly #file: number;

  constructor(path: string, messages: readonly NewEntry[]) {
    this.#file = openSync(path, "a", 0o600);
    for (const message of messages) this.#write(message);
    fsyncSync(this.#file);
  }

  append(message: NewEntry): void {
    this.#write(message);
    fsyncSync(this.#file);
  }

  #write(message: NewEntry): void {
    writeSync(this.#file, `${JSON.stringify(message)}\n`);
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }
}
