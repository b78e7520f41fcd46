import type { Entry, JsonObject, MessageContent } from "../../sessions/entry.ts";
import { callEndOf, endOfCall } from "./links.ts";
import type { Counts } from "./row-content.ts";

/** The calls of a talk that is being written, as far as they have no result yet. */
export class OpenCalls {
  readonly #open = new Map<string, Entry>();
  /** The ids of all calls by what hooks know of them. */
  readonly #ids = new Map<string, string>();

  get open(): ReadonlyMap<string, Entry> {
    return this.#open;
  }

  /** Follows a message. A call that has no result before the next prompt never gets one: the model is told neither. */
  follow(entry: Entry, { role }: MessageContent, blocks: readonly JsonObject[], changed: Counts): void {
    if (role === "user" && !blocks.some(({ type }) => type === "tool_result")) {
      for (const _ of this.#open) changed.add("call without a result");
      this.#open.clear();
    }
    for (const { type, id, tool_use_id: answered } of blocks) {
      if (typeof answered === "string") this.#open.delete(answered);
      if (type !== "tool_use" || typeof id !== "string") continue;
      this.#open.set(id, entry);
      this.#ids.set(endOfCall(id), id);
    }
  }

  /** Names the call that hooks know by the end of its id; undefined for the result of one that is not open. */
  name({ id }: Entry, content: MessageContent): MessageContent | undefined {
    const end = callEndOf(id);
    if (end === undefined) return content;
    const call = this.#ids.get(end) ?? `toolu_${end}`;
    if (content.role === "tool" && !this.#open.has(call)) return undefined;
    return { ...content, parts: content.parts.map((part) => ("call" in part ? { ...part, call } : part)) };
  }
}
