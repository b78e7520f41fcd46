import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { NewEntry } from "../src/sessions/entry.ts";
import type { InstalledPeer } from "./install-langgraph.ts";

interface Answer {
  readonly milliseconds?: number;
  readonly error?: string;
}

/** A peer: LangGraph's SqliteSaver in a process of its own, asked step by step and measured there. */
export class LangGraph implements Disposable {
  readonly #child: ChildProcess;

  constructor(peer: InstalledPeer, workFolder: string) {
    const script = fileURLToPath(new URL("langgraph-child.mjs", import.meta.url));
    this.#child = fork(script, [peer.folder, workFolder], { execPath: peer.node, execArgv: [] });
  }

  async open(length: number, messages: readonly NewEntry[]): Promise<void> {
    await this.#ask({ type: "open", length, messages: messages.map(toWire) });
  }

  /** Returns the milliseconds of one append to the thread of the given length. */
  append(length: number, message: NewEntry): Promise<number> {
    return this.#ask({ type: "append", length, message: toWire(message) });
  }

  async #ask(task: object): Promise<number> {
    const answered = new AbortController();
    const { signal } = answered;
    const gone = once(this.#child, "exit", { signal }).then((): [Answer] => [{ error: "its process ended" }]);
    try {
      this.#child.send(task);
      const [answer]: Answer[] = await Promise.race([once(this.#child, "message", { signal }), gone]);
      if (answer?.error !== undefined) throw new Error(`LangGraph failed: ${answer.error}`);
      return answer?.milliseconds ?? 0;
    } finally {
      // Aborting ends both waits; the one that lost rejects, and nobody is to hear of it.
      gone.catch(() => undefined);
      answered.abort();
    }
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}

function toWire(message: NewEntry): object {
  if (message.kind !== "message") throw new TypeError("The workload is made of messages.");
  const [part] = message.parts;
  return { id: message.id, role: message.role, text: part?.type === "text" ? part.text : "" };
}
