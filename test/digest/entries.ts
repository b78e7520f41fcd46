import { readObservation } from "../../src/clients/claude-code/read-observation.ts";
import type { Entry, JsonObject, NewEntry, Part } from "../../src/sessions/entry.ts";
import type { EntryId, SessionId, Strand } from "../../src/sessions/ids.ts";

const start = Date.parse("2026-11-18T09:00:00Z");

/** Writes a made-up session, entry by entry, a minute apart. */
export class Story {
  readonly entries: Entry[] = [];

  /** The user asks for something. */
  asks(text: string): this {
    return this.#message("user", [{ type: "text", text }]);
  }

  /** The assistant says something. */
  says(text: string): this {
    return this.#message("assistant", [{ type: "text", text }]);
  }

  /** The assistant calls a tool; no result comes. */
  calls(name: string, input: JsonObject, call = `call-${this.entries.length}`): this {
    return this.#message("assistant", [{ type: "tool-call", call, name, input }]);
  }

  /** The result of the last call comes. */
  gets(output: string, failed = false, call = `call-${this.entries.length - 1}`): this {
    return this.#message("tool", [{ type: "tool-result", call, output, ...(failed ? { failed } : {}) }]);
  }

  runs(command: string, output: string, failed = false): this {
    return this.calls("Bash", { command }).gets(output, failed);
  }

  /** A command is started in the background. */
  begins(command: string, call: string): this {
    const outcome = { type: "tool-outcome", outcome: { backgroundTaskId: "b1" } };
    return this.calls("Bash", { command }, call).#message("tool", [
      { type: "tool-result", call, output: "Command running in background with ID: b1." },
      { type: "other", raw: outcome },
    ]);
  }

  /** The client tells that a command has ended in the background. */
  hearsOf(call: string, code: number): this {
    const summary = `<summary>Background command "Test" failed with exit code ${code}</summary>`;
    const text = `<task-notification>\n<tool-use-id>${call}</tool-use-id>\n${summary}\n</task-notification>`;
    return this.happens("notification", { text });
  }

  edits(path: string): this {
    return this.calls("Edit", { file_path: `/work/shop/${path}` }).gets("The file was updated.");
  }

  happens(event: string, data: Record<string, string>): this {
    return this.#add({ kind: "event", event, data } as unknown as NewEntry);
  }

  /** A hook sees something of a call. */
  sees(event: "PreToolUse" | "PostToolUse" | "PostToolUseFailure", payload: JsonObject): this {
    const about = { client: "claude-code", session: "s", receivedAt: new Date(start) } as const;
    const seen = readObservation({ ...about, key: 1, event, payload });
    if (seen === undefined) throw new Error("Nothing was seen.");
    return this.#add(seen.entry);
  }

  #message(role: "user" | "assistant" | "tool", parts: readonly Part[]): this {
    return this.#add({ kind: "message", role, parts } as unknown as NewEntry);
  }

  #add(content: NewEntry): this {
    const seq = this.entries.length + 1;
    this.entries.push({
      ...{ id: `entry-${seq}` as EntryId, strand: "main" as Strand },
      ...content,
      session: "s" as SessionId,
      seq,
      parent: null,
      at: new Date(start + seq * 60_000),
    } as Entry);
    return this;
  }
}
