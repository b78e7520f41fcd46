import type { ModelEvent } from "../model/model.ts";
import type { MessageContent, Part } from "../sessions/entry.ts";

/** A reply that is coming in, as far as it has come. */
export class PartialReply {
  readonly #parts: { type: "text" | "thinking"; text: string }[] = [];

  take(event: ModelEvent): void {
    if (event.type !== "text" && event.type !== "thinking") return;
    const last = this.#parts.at(-1);
    if (last?.type === event.type) last.text += event.text;
    else this.#parts.push({ type: event.type, text: event.text });
  }

  /** What the model has said, without its thoughts. */
  get text(): string {
    return this.#parts.flatMap(({ type, text }) => (type === "text" ? [text] : [])).join("");
  }

  /** Returns the message that is left of it when nothing more comes; undefined when nothing has come. */
  toMessage(model: string): MessageContent | undefined {
    const parts: readonly Part[] = this.#parts.filter(({ text }) => text.trim() !== "");
    return parts.length === 0 ? undefined : cutOffReply(parts, model);
  }
}

/** Makes the message of a reply that was cut off. */
export function cutOffReply(parts: readonly Part[], model: string): MessageContent {
  return { kind: "message", role: "assistant", parts, model, interrupted: true };
}
