import type { Entry, JsonObject, MessageContent } from "../../sessions/entry.ts";
import { callEndOf, endOfCall } from "./links.ts";
import type { Counts } from "./row-content.ts";
import { digestOf } from "./row-ids.ts";

/** The calls of a talk that is being written, as far as they have no result yet. */
export class OpenCalls {
  readonly #open = new Map<string, Entry>();
  /** How often an id was used, and what stands for it now. */
  readonly #used = new Map<string, { readonly count: number; readonly call: string }>();
  /** The ids of all calls by what hooks know of them. */
  readonly #ids = new Map<string, string>();

  /** Whether the last message was the result of a call. */
  #isAnswered: boolean = false;

  get open(): ReadonlyMap<string, Entry> {
    return this.#open;
  }

  /**
   * Follows the blocks of a message, and returns them with ids that are used once: some models count anew in each answer.
   *
   * A call that has no result before the next prompt or answer never gets one, and a result needs its call: the model is
   * told neither.
   */
  follow(
    entry: Entry,
    content: MessageContent,
    blocks: readonly JsonObject[],
    { kept, leftOut }: Readonly<Record<"kept" | "leftOut", Counts>>,
  ): readonly JsonObject[] {
    const hasResult = blocks.some(({ type }) => type === "tool_result");
    const isOver = content.role === "user" || this.#isAnswered;
    for (const [call, by] of hasResult || !isOver ? [] : this.#open) {
      if (isSameMessage(by, content)) continue;
      leftOut.add("call without a result");
      this.#open.delete(call);
    }
    this.#isAnswered = hasResult;
    return blocks.flatMap((block): readonly JsonObject[] => {
      const { type, id, tool_use_id: answered } = block;
      if (type === "tool_use" && typeof id === "string") return [{ ...block, id: this.#begin(entry, id) }];
      if (type !== "tool_result" || typeof answered !== "string") return [block];
      const call = this.#used.get(answered)?.call;
      if (call === undefined) {
        leftOut.add("result without its call");
        return [];
      }
      if (this.#open.delete(call)) kept.add("call");
      kept.add("result");
      return [{ ...block, tool_use_id: call }];
    });
  }

  #begin(entry: Entry, id: string): string {
    const count = (this.#used.get(id)?.count ?? 0) + 1;
    // The client takes `x_2` for another form of `x`.
    const call = count === 1 ? id : `toolu_${digestOf(`${id} ${count}`).slice(0, 24)}`;
    this.#used.set(id, { count, call });
    this.#open.set(call, entry);
    this.#ids.set(endOfCall(call), call);
    return call;
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

function isSameMessage(one: Entry, { clientMessageId }: MessageContent): boolean {
  return clientMessageId !== undefined && one.kind === "message" && one.clientMessageId === clientMessageId;
}
