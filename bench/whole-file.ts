import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { NewEntry } from "../src/sessions/entry.ts";

/** A peer: the session is one indented JSON file, written anew for each message: temp file, sync, rename, sync of the folder. */
export class WholeFile {
  readonly #path: string;
  readonly #messages: NewEntry[];

  constructor(path: string, messages: readonly NewEntry[]) {
    this.#path = path;
    this.#messages = [...messages];
  }

  /** Puts the message in the place of the last one, so that the session keeps its length however often it is measured. */
  append(message: NewEntry): void {
    this.#messages[this.#messages.length - 1] = message;
    const draft = `${this.#path}.tmp`;
    const file = openSync(draft, "w", 0o600);
    writeFileSync(file, JSON.stringify({ version: "1", messages: this.#messages }, null, 2));
    fsyncSync(file);
    closeSync(file);
    renameSync(draft, this.#path);
    const folder = openSync(dirname(this.#path), "r");
    fsyncSync(folder);
    closeSync(folder);
  }
}
